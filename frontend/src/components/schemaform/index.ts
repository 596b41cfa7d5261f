export { SchemaForm, type SchemaFormProps } from "./SchemaForm";
export { initialText } from "./plan";
export type { FieldError } from "./errors";
