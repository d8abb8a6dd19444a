"""The bare counterparts that ours is compared with: each does the least that the same answer takes."""
