"""Reading what people bring: from files, texts and values to puzzles.

`sources` and `formats` tell what a source is; `lines`, `tables`, `objects` and `lists` return the
`Cells` in it, signs with their place; `fitting` finds the symbols that they are in, and makes a
`Batch` of them, an array of values with names.
"""
