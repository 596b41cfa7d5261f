import type { JsonObject, JsonValue } from "../../utils/json";

interface Common {
  /** The author's title, "" when none; the key then serves as the label. */
  title: string;
  description: string;
  /** What is expected, in short phrases: "18 to 99", "at most 20 characters". */
  hints: readonly string[];
  /** Null is allowed beside the values of this kind. */
  nullable: boolean;
  /** undefined = no default; null is one. */
  default: JsonValue | undefined;
}

export interface TextNode extends Common {
  kind: "text";
  /** "" or the `format`. */
  format: string;
  long: boolean;
  /** Whether the empty text can be a valid value, as far as a glance tells. */
  mayBeEmpty: boolean;
}

export interface NumberNode extends Common {
  kind: "number";
  integer: boolean;
}

export interface BooleanNode extends Common {
  kind: "boolean";
}

export interface Choice {
  value: JsonValue;
  label: string;
  /** The value in short where the label hides it, else "". */
  detail: string;
}

export interface ChoiceNode extends Common {
  kind: "choice";
  choices: readonly Choice[];
}

export interface ConstNode extends Common {
  kind: "const";
  value: JsonValue;
}

export interface Property {
  key: string;
  schema: JsonValue;
  required: boolean;
}

export interface ObjectNode extends Common {
  kind: "object";
  properties: readonly Property[];
  /** Schema of members that are not declared; false = none allowed. */
  extra: JsonValue;
  /** The author invites members of any name, so the form offers to add them. */
  open: boolean;
  /** Rules between fields (`if`, `dependentRequired`…), which the form does not draw. */
  ruled: boolean;
}

export interface ListNode extends Common {
  kind: "list";
  items: JsonValue;
  minItems: number;
  maxItems: number;
  unique: boolean;
}

export interface TupleNode extends Common {
  kind: "tuple";
  items: readonly JsonValue[];
  rest: JsonValue;
  minItems: number;
}

export interface Variant {
  label: string;
  schema: JsonObject;
}

export interface VariantNode extends Common {
  kind: "variant";
  variants: readonly Variant[];
}

/** Any JSON value, written as JSON. With a reason when the schema asks for something that cannot be drawn. */
export interface AnyNode extends Common {
  kind: "any";
  reason: string;
}

/** `false`: no value is allowed here. */
export interface NeverNode extends Common {
  kind: "never";
}

/** How one schema is drawn. What lies inside it is described when it is drawn itself. */
export type FieldNode =
  | TextNode
  | NumberNode
  | BooleanNode
  | ChoiceNode
  | ConstNode
  | ObjectNode
  | ListNode
  | TupleNode
  | VariantNode
  | AnyNode
  | NeverNode;
