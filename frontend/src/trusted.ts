// Under `require-trusted-types-for 'script'` the style text that Mantine writes needs a policy. This one lets text through
// and no markup; it must exist before anything else of the page runs, so it is the first module.

interface Policies {
  createPolicy(name: "default", rules: { createHTML: (text: string) => string | null }): unknown;
}

const factory = (window as unknown as { trustedTypes?: Policies }).trustedTypes;
factory?.createPolicy("default", { createHTML: (text) => (text.includes("<") ? null : text) });

export {};
