"""The tools of all connectors, as the gate would offer them."""

from connectors.calendar.tools import TOOLS as CALENDAR
from connectors.files.tools import TOOLS as FILES
from connectors.messaging.tools import TOOLS as MESSAGING
from connectors.settings.tools import TOOLS as SETTINGS

TOOLS = (*CALENDAR, *FILES, *MESSAGING, *SETTINGS)
OFFERED = tuple(tool for tool in TOOLS if tool.offered)
