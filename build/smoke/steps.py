"""What a person does in the window, step by step, by role and name."""

import re

NAVIGATION = ("link", "push button", "toggle button", "page tab")
TOOL = ("push button",)
DEMO_TOOLS = (
    "Weather", "Chart image", "Audio tone", "Mixed content", "Long job", "Ask with a form",
    "Ask to open an address", "Tool error", "Protocol error", "Large table", "Big text", "Add a tool",
)


def open_screen(window, name):
    window.press(re.compile(rf"^{name}\b"), NAVIGATION)


def open_tool(window, title):
    open_screen(window, "Tools")
    window.press(re.compile(rf"^{title}\b"), TOOL)
    window.wait("heading", title)


def propose_weather(window, city):
    """Proposing leads to the card by itself."""
    open_tool(window, "Weather")
    window.write(re.compile(r"^City\b"), city)
    window.press("Propose call")
    window.wait("push button", "Approve")


def approve(window):
    """An answer counts only once the card has been on screen for a moment."""
    window.press("Approve")


def see_result(window, wanted):
    window.says(re.compile("[Ss]ucceeded"))
    window.says(wanted)


def add_stdio_server(window, name, command, *arguments):
    open_screen(window, "Servers")
    window.press(re.compile("^Add"))
    window.write(re.compile("^Name"), name)
    window.write(re.compile("^Command"), command)
    for argument in arguments:
        window.press(re.compile("^Add an? argument", re.I))
        window.write(re.compile("^Argument"), argument)
    window.press(re.compile("^Save"))


def answer_consent(window, name, answer):
    """Asks for the launch and answers the native dialog; No is its default."""
    window.press(re.compile("^(Review|Allow|Start)"))
    window.wait("alert", None)
    default = window.wait("push button", "No")
    window.until(lambda: default.has("focused"), "the focus on No")
    window.press(answer, ("push button",))
    window.gone("alert", None)
