"""The calendar service: events and tasks in a folder of iCalendar files."""
