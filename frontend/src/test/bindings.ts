import type * as approvals from "../../wailsjs/go/app/Approvals";
import type * as calls from "../../wailsjs/go/app/Calls";
import type * as lists from "../../wailsjs/go/app/Lists";
import type * as questions from "../../wailsjs/go/app/Questions";
import type * as rules from "../../wailsjs/go/app/Rules";
import type * as servers from "../../wailsjs/go/app/Servers";
import type * as settings from "../../wailsjs/go/app/Settings";
import type * as tools from "../../wailsjs/go/app/Tools";
import type { Backend } from "../api/backend";

// For the type checker only: what the page asks of the program is what the generated bindings offer, method by method and
// field by field. A field added, renamed or of another kind in Go does not compile here.

/** A type as it crosses the bridge: data without methods, words of a closed list as text, nothing optional. */
type Plain<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends readonly unknown[]
        ? Items<T>
        : T extends Record<string, string>
          ? Words<T>
          : T extends object
            ? { [Key in keyof T as T[Key] extends (...args: never[]) => unknown ? never : Key]-?: Plain<NonNullable<T[Key]>> }
            : T;

/** Item by item, so that order and number of arguments count. */
type Items<T extends readonly unknown[]> = { [At in keyof T]: Plain<T[At]> };

/** An open record of texts stays one; a class of nothing but texts is taken field by field. */
type Words<T> = string extends keyof T ? Record<string, string> : { [Key in keyof T]-?: string };

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** What a bound method takes after the token, and gives. */
type Bound<Fn> = Fn extends (token: string, ...args: infer Args) => Promise<infer Result> ? [args: Plain<Args>, result: Plain<Result>] : never;
type Asked<Fn> = Fn extends (...args: infer Args) => Promise<infer Result> ? [args: Plain<Args>, result: Plain<Result>] : never;

/** The names of the methods of a group whose types differ, or that only one side has. Must be never. */
type Differing<Group, Generated> = {
  [Name in keyof Group & string]: Title<Name> extends keyof Generated ? (Same<Asked<Group[Name]>, Bound<Generated[Title<Name>]>> extends true ? never : Name) : Name;
}[keyof Group & string] | Exclude<keyof Generated & string, Title<keyof Group & string>>;

/** "saveUI" in the page is "SaveUI" in Go. */
type Title<Name extends string> = Capitalize<Name>;

type None<T extends never> = T;

export type Checked = [
  None<Differing<Backend["approvals"], typeof approvals>>,
  None<Differing<Backend["calls"], typeof calls>>,
  None<Differing<Backend["lists"], typeof lists>>,
  None<Differing<Backend["questions"], typeof questions>>,
  None<Differing<Backend["rules"], typeof rules>>,
  None<Differing<Backend["servers"], typeof servers>>,
  None<Differing<Backend["settings"], typeof settings>>,
  None<Differing<Backend["tools"], typeof tools>>,
];
