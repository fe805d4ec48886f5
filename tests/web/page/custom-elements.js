// Stubs of browser globals, for importing modules that define custom elements.

globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };
