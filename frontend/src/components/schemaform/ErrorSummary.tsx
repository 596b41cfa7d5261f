import { pointerSteps } from "../../utils/jsonpointer";
import { Seen } from "../jsonview/Seen";
import { type FieldError, fieldId } from "./errors";
import { focusById } from "./focus";
import classes from "./form.module.css";

/** Listed at most; the rest is counted. */
const LISTED = 20;

/** All that is wrong, with ways to the fields. */
export function ErrorSummary({ errors, prefix, jump }: { errors: readonly FieldError[]; prefix: string; jump: boolean }) {
  if (errors.length === 0) return null;
  const line = (error: FieldError) => {
    const way = pointerSteps(error.pointer).join(" › ");
    return way === "" ? error.message : `${way}: ${error.message}`;
  };
  return (
    <div role="alert" id={`${prefix}-errors`} tabIndex={-1} className={classes["summary"]}>
      {errors.length === 1 ? "One thing needs to be put right:" : `${errors.length} things need to be put right:`}
      <ul>
        {errors.slice(0, LISTED).map((error, at) => (
          <li key={at}>
            {jump && error.pointer !== "" ? (
              <button type="button" className={classes["jump"]} onClick={() => focusNearest(prefix, error.pointer)}>
                <Seen text={line(error)} />
              </button>
            ) : (
              <Seen text={line(error)} />
            )}
          </li>
        ))}
        {errors.length > LISTED && <li>and {errors.length - LISTED} more</li>}
      </ul>
    </div>
  );
}

/** Focuses the field of a place, or the nearest one around it that is drawn. */
function focusNearest(prefix: string, pointer: string): boolean {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const id = fieldId(prefix, at);
    if (focusById(id) || focusById(`${id}-choice`)) return true;
  }
  return focusById(fieldId(prefix, ""));
}

/** Focuses the error that stands first on screen. */
export function focusFirst(prefix: string, errors: readonly FieldError[]): void {
  let first: { element: Element; pointer: string } | undefined;
  for (const { pointer } of errors) {
    const element = document.getElementById(fieldId(prefix, pointer));
    if (pointer === "" || element === null) continue;
    if (first === undefined || (element.compareDocumentPosition(first.element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0) {
      first = { element, pointer };
    }
  }
  const pointer = first?.pointer ?? errors[0]?.pointer ?? "";
  if (pointer === "" || !focusNearest(prefix, pointer)) document.getElementById(`${prefix}-errors`)?.focus();
}
