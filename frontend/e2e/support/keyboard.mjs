// Nothing but keys. Reaching a control means pressing Tab until it has the focus.

/**
 * @param {import("playwright-core").Page} page
 * @param {import("playwright-core").Locator} target
 * @param {string} key Tab, or Shift+Tab, or an arrow within a list
 */
export async function reach(page, target, key = "Tab") {
  await target.waitFor();
  const passed = [];
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press(key);
    passed.push(await page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent?.slice(0, 30)}`));
  }
  throw new Error(`the keyboard does not reach ${target}; it went over ${passed.slice(-40).join(", ")}`);
}

/** Whether the focused control shows that it has the focus. */
export function focusIsVisible(page) {
  return page.evaluate(() => {
    const node = document.activeElement;
    if (!node || node === document.body) return false;
    const style = getComputedStyle(node);
    const ring = (s) => (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== "none";
    return node.matches(":focus-visible") && (ring(style) || (node.parentElement !== null && ring(getComputedStyle(node.parentElement))) || style.borderColor !== "");
  });
}
