"""Touching the disk: opening inside the folders only, walking, writing in one step, the trash."""
