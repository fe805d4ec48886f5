// The globals that modules with custom elements need when they are imported without a browser.

globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {} };
