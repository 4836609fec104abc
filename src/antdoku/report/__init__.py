"""The report: one HTML file with everything inside, and its two chief tables as plain text."""
