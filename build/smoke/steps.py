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
    """The call stays where its card was, and its result comes up in it."""
    window.wait("landmark", "Result")
    window.says("Succeeded")
    window.wait("tree item", re.compile(wanted))


def add_stdio_server(window, name, command, arguments, environment):
    open_screen(window, "Servers")
    window.press("Add server")
    window.write("Name", name)
    window.write("Command", command)
    for at, argument in enumerate(arguments, 1):
        window.press("Add an argument")
        window.write(f"Argument {at}", argument)
    for at, (variable, value) in enumerate(environment.items(), 1):
        window.press("Add a variable")
        window.write(f"Name of variable {at}", variable)
        window.write(f"Value of variable {at}", value)
    window.press("Save")


def answer_consent(window, answer):
    """Asks for the launch and answers the native dialog; gives back what it said."""
    window.press(re.compile("^Review and agree"))
    window.wait("alert", None)
    window.until(lambda: window.wait("push button", "No").has("is_default"), "No as the default button")
    if window.wait("push button", "Yes").has("is_default"):
        raise AssertionError("Yes is the default of the dialog")
    said = "\n".join(node.name for node in window.nodes() if node.role == "label")
    window.press(answer, ("push button",))
    window.gone("alert", None)
    return said
