import { JsonNumber } from "./json";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TYPED_NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** The longest run of zeros that an exponent is written out to. */
const MAX_ZEROS = 400;

export function isNumberText(text: string): boolean {
  return JSON_NUMBER.test(text);
}

interface Decimal {
  negative: boolean;
  /** Significant digits without leading and trailing zeros; "" is zero. */
  digits: string;
  /** The value is digits times ten to this power. */
  exponent: bigint;
}

function decimal(text: string): Decimal | undefined {
  const match = TYPED_NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  if (whole === "" && fraction === "") return undefined;
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return { negative: sign === "-", digits: "", exponent: 0n };
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(all.length - digits.length);
  return { negative: sign === "-", digits, exponent };
}

/** Whether two number texts stand for the same number; 1, 1.0 and 10e-1 do. No digit is lost. */
export function sameNumber(a: string, b: string): boolean {
  const x = decimal(a);
  const y = decimal(b);
  if (x === undefined || y === undefined) return false;
  if (x.digits === "" && y.digits === "") return true;
  return x.negative === y.negative && x.digits === y.digits && x.exponent === y.exponent;
}

/** Whether the text stands for a whole number; 1.0 and 1e3 do. */
export function isWhole(text: string): boolean {
  const value = decimal(text);
  return value !== undefined && (value.digits === "" || value.exponent >= 0n);
}

function plain(value: Decimal): string | undefined {
  const sign = value.negative && value.digits !== "" ? "-" : "";
  if (value.digits === "") return "0";
  if (value.exponent >= 0n) {
    if (value.exponent > MAX_ZEROS) return undefined;
    return sign + value.digits + "0".repeat(Number(value.exponent));
  }
  if (-value.exponent > MAX_ZEROS + value.digits.length) return undefined;
  const point = value.digits.length + Number(value.exponent);
  if (point > 0) return `${sign}${value.digits.slice(0, point)}.${value.digits.slice(point)}`;
  return `${sign}0.${"0".repeat(-point)}${value.digits}`;
}

export type TypedNumber = { ok: true; value: JsonNumber } | { ok: false; reason: string };

/**
 * Reads what a person typed into a number field. Every digit is kept; only
 * what does not change the number goes: blanks around it, a plus sign, leading
 * zeros, zeros at the end of a fraction. A whole number comes out as plain
 * digits, never as 1.0 or 1e0. An exponent that a person typed for a decimal
 * stays one.
 */
export function readTypedNumber(typed: string, integer: boolean): TypedNumber {
  const text = typed.trim();
  const value = decimal(text);
  if (value === undefined) return { ok: false, reason: reasonAgainst(text) };
  const whole = value.digits === "" || value.exponent >= 0n;
  if (integer && !whole) return { ok: false, reason: "A whole number is needed here." };
  const written = /e/i.test(text) && !integer ? undefined : plain(value);
  if (written !== undefined) return { ok: true, value: new JsonNumber(written) };
  if (integer) return { ok: false, reason: `Write the number out; its exponent is over ${MAX_ZEROS}.` };
  return { ok: true, value: new JsonNumber(scientific(value, text)) };
}

function scientific(value: Decimal, text: string): string {
  const unsigned = text.replace(/^\+/, "");
  if (isNumberText(unsigned)) return unsigned;
  return `${value.negative ? "-" : ""}${value.digits || "0"}e${value.exponent}`;
}

function reasonAgainst(text: string): string {
  if (text === "") return "A number is needed here.";
  if (/^[+-]?\d{1,3}([ ,.'_]\d{3})*[,.]\d+$/.test(text) || text.includes(",")) {
    return "Not a number: write digits without separators, and a point for decimals.";
  }
  return "Not a number.";
}
