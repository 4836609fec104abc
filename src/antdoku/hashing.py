"""Seeds of runs, and hashes of plain values."""

import hashlib
import json
from operator import methodcaller


def seed_of(root_seed: int, instance_id: str, variant: str, repetition: int) -> int:
    """Seed of one run: 63 bits that depend on nothing but the four arguments."""
    key = f"{root_seed}/{instance_id}/{variant}/{repetition}".encode()
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") >> 1


def json_of(content) -> str:
    """JSON, the same for the same content; a number of NumPy is that of Python."""
    return json.dumps(content, sort_keys=True, default=methodcaller("item"))


def hash_of(content) -> str:
    """Hash of `json_of`."""
    return hashlib.sha256(json_of(content).encode()).hexdigest()
