"""What a person does in the window, step by step, by role and name."""

import re

NAVIGATION = ("link", "push button", "toggle button", "page tab", "menu item")
TOOL = None
DEMO_TOOLS = ("Weather",)
