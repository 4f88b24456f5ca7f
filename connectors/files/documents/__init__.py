"""The text of PDF, Office and OpenDocument files, taken out by known libraries in a process of its own."""
