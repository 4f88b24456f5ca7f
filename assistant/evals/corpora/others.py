"""E-mail and contacts of the collections as calls of the mailbox, and volume as calls of the settings."""

import re

from assistant.evals.corpora.label import Label
from assistant.evals.corpora.said import Said, call, person

LOUDNESS = re.compile(
    r"\b(?:a (?:little )?bit |a little |little |much )?(?:louder|quieter|softer|lower|higher|loudly)\b", re.I
)
QUIET = re.compile(
    r"\bmute|silen|\bquiet|sounds? off|speakers? off|volume off|shut up|off the speakers|stop the audio"
    r"|(?:turn|shut) (?:off|down) (?:the |my )?(?:sound|volume|audio|speaker)"
    r"|(?:stop|don'?t|do not|no) (?:talk|speak|respond|mak\w* (?:any )?(?:noise|sound))",
    re.I,
)
ABOUT = re.compile(r"\b(?:about|regarding) (.+?)(?=$| saying | that says |[.!?] )", re.I)
HIM = "(?:him|her|them)"
SAYING = re.compile(
    rf"\b(?:saying|to say|that says|and say|telling {HIM}|and tell {HIM}"
    rf"|to let {HIM} know|letting {HIM} know|that)"
    r"(?: that| to)? (.+)$",
    re.I,
)


def add_contact(said: Said) -> tuple[Label, ...] | None:
    address = re.search(r"[\w.+-]+@[\w-]+\.[\w.]+\w", said.text)
    spoken = next(iter(said.words("email_address")), None)
    name = person(said)
    if not (address or name) or not re.search(r"contact|address", said.text, re.I):
        return None
    return call("messaging.add_contact", name=name, address=address[0] if address else spoken)


def email_query(said: Said) -> tuple[Label, ...] | None:
    low = said.text.lower()
    if re.search(
        r"\breply|respond|send (?:an?|the)|delete|every|notif|open my e-?mail account|sms|\bcall|gmail"
        r"|subject",
        low,
    ):
        return None
    sender = person(said)
    if sender and not re.search(
        r"\bfrom\b|\bby\b|did .*(?:mail|send|sent|write|reply|respond)|has .*|sent", low
    ):
        return None
    about = re.search(r"\b(?:about|regarding) (?:the |my |our )?(.+?)[?.!]?$", said.text, re.I)
    folder = next((name for name in said.words("email_folder") if name.lower() != "inbox"), None)
    unread = True if re.search(r"\b(?:new|unread)\b", low) and "news" not in low else None
    words = about[1] if about else None
    if about and (said.when() or "" in about[1].split()):
        return None
    if (
        re.search(r"\bread\b|\bopen\b|what does", low)
        and (sender or words)
        and not unread
        and not said.when()
    ):
        return call("messaging.read", message=words, sender=sender)
    return call(
        "messaging.search", words=words, sender=sender, when=said.when(), folder=folder, unread=unread
    )


def find_contact(said: Said) -> tuple[Label, ...] | None:
    if re.search(
        r"\b(?:call|called|text|dial|live|lives|birthday|work for|born|age|old|working)\b", said.text, re.I
    ):
        return None
    if not re.search(r"number|e-?mail|address|contact|phone|mobile|\bcell", said.text, re.I):
        return None
    name = person(said)
    return call("messaging.find_contact", name=name) if name else None


def send_email(said: Said) -> tuple[Label, ...] | None:
    text = said.text.rstrip(" .!?,")
    people = [(a, b) for slot, a, b in said.spans if slot in ("person", "relation", "email_address")]
    if not people or re.search(r"\bforward|inbox|draft|not want|group", text, re.I):
        return None
    name = re.sub(r"['’]s$", "", text[people[0][0] : people[0][1]])
    after = text[people[0][1] :]
    saying, about = SAYING.search(after), ABOUT.search(after)
    body = saying[1].strip("'\"") if saying else None
    subject = about[1] if about and not (saying and saying.start() < about.start()) else None
    used = len((saying[0] if saying else "").split()) + len((about[0] if about and subject else "").split())
    if len(after.split()) - used > 1:
        return None
    if re.search(r"\b(?:reply|replay|respond|answer)\b", text, re.I):
        return call("messaging.reply", sender=name, body=body)
    return call("messaging.send", to=[name], subject=subject, body=body)


def volume(said: Said, way: str) -> tuple[Label, ...] | None:
    if re.search(
        r"radio|\btv\b|television|music system|/|bass|repeat|again|control|settings", said.text, re.I
    ):
        return None
    if "unmute" in said.text.lower():
        return call("settings.set", setting="mute", value="off")
    amount = (said.words("change_amount") or [""])[0]
    if amount.lower().startswith("to "):
        value = amount[3:]
    elif amount:
        value = f"{way} {amount.removeprefix('by ')}"
    else:
        relative = LOUDNESS.search(said.text)
        value = relative[0] if relative else way
    if value.lower() in ("lower", "higher"):
        value = way
    return call("settings.set", setting="volume", value=value)


def mute(said: Said) -> tuple[Label, ...] | None:
    low = said.text.lower()
    if re.search(r"radio|\btv\b|television|music|song|volume down|until|device", low):
        return None
    if "unmute" in low:
        return call("settings.set", setting="mute", value="off")
    if QUIET.search(low):
        return call("settings.set", setting="mute", value="on")
    return None
