"""Internet messages: reading what others wrote, however broken, and writing our own."""
