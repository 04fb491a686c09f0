// Submissions that take effect once, however often they are sent: docs/reference/script.md. Types: idempotent.d.ts.
(() => {
"use strict";

if (Object.hasOwn(window, "Idempotent")) {
	return;
}

// The application serves its own settings between the marks. Attributes of the script element, such as data-token-path, take precedence.
const served = /*[*/{
	"tokenPath": "token",
	"tokenHeader": "Idempotent-Token",
	"tokenField": "_idempotentToken",
	"keyHeader": "Idempotency-Key",
	"replayedHeader": "Idempotency-Replayed"
}/*]*/;
const script = /** @type {HTMLScriptElement | null} */ (of(document, "currentScript"));
const own = script ? script.dataset : {};
const settings = { patience: "60", ...served, ...own };
const tokenUrl = settings.tokenPath && new URL(settings.tokenPath, own.tokenPath || !script ? of(document, "baseURI") : script.src);
const REDIRECT = "Idempotent-Redirect";

/** @typedef {{ place: string, token?: string, sent?: boolean, done?: boolean, busy?: Promise<Response>, passing?: boolean }} State */
/** @type {WeakMap<HTMLFormElement, State>} */
const states = new WeakMap();

/** Of the head, since content of others is in the body. @param {string} name */
const meta = (name) => of(document, "querySelector")(`html > head > meta[name="${name}"]`)?.getAttribute("content");

/** A member of the document or a form, which an element of the same name hides. @template {Document | HTMLFormElement} N @template {keyof N} K @param {N} node @param {K} name @returns {N[K]} */
function of(node, name) {
	const member = Reflect.get(Object.getPrototypeOf(node), name, node);
	return typeof member === "function" ? member.bind(node) : member;
}

/** @param {(event: SubmitEvent) => void} listener @param {boolean} capture */
const onSubmit = (listener, capture) => Reflect.apply(EventTarget.prototype.addEventListener, window, ["submit", listener, capture]);

/** @param {Response} response */
const isReplay = (response) => response.headers.get(settings.replayedHeader) === "true";

/** A random UUID; on insecure origins, which have none, as many random digits. */
const newKey = () => crypto.randomUUID?.()
	?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The codes that the error formats of other profiles have for what the script looks at. @type {Record<string, string>} */
const CODES = {
	idempotency_key_in_use: "in-progress", idempotency_in_flight: "in-progress", token_unknown: "token-unknown",
	idempotency_key_reused: "key-reused", idempotency_conflict: "key-reused"
};

/** The code of a problem document, or nothing. @param {Response} response */
async function codeOf(response) {
	if (response.ok || !/json/.test(response.headers.get("Content-Type") ?? "")) {
		return;
	}
	const body = await response.clone().json().catch(() => undefined);
	const code = body?.code ?? body?.error?.code;
	return CODES[code] ?? code;
}

/** @param {Response} response */
const isTemporary = async (response) => response.status === 503 || await codeOf(response) === "in-progress";

/** @param {number} millis @param {AbortSignal} signal */
const sleep = (millis, signal) => new Promise((resolve) => {
	setTimeout(resolve, millis);
	signal.addEventListener("abort", resolve, { once: true });
});

/** Sends a request until there is a response that will not change, within bounds. @param {() => Request} next the request of an attempt */
async function send(next) {
	const end = Date.now() + Number(settings.patience) * 1000;
	for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
		const request = next();
		let response, failure, wait = pause * (1 + Math.random()) / 2;
		try {
			response = await fetch(request);
			if (!await isTemporary(response)) {
				return response;
			}
			wait = Math.max(wait, Number(response.headers.get("Retry-After")) * 1000 || 0);
		}
		catch (error) {
			failure = error;
		}
		if (request.signal.aborted || Date.now() + wait > end) {
			if (response) {
				return response;
			}
			throw failure;
		}
		await sleep(wait, request.signal);
	}
}

/** Adds Spring Security's CSRF token, as it is now, and returns whether there is one. @param {Headers} headers */
function addCsrf(headers) {
	const [name, value] = [meta("_csrf_header"), meta("_csrf")];
	const cookie = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(of(document, "cookie"));
	if (name && value) {
		headers.set(name, value);
	}
	else if (cookie) {
		headers.set("X-XSRF-TOKEN", decodeURIComponent(cookie[1]));
	}
	return Boolean(name && value || cookie);
}

/** @param {URL} url */
function requireSameOrigin(url) {
	if (url.origin !== location.origin) {
		throw new Error("Tokens are never sent to another origin: " + url.origin);
	}
}

/** Fetches a token. @param {string} [operation] */
async function token(operation) {
	if (!tokenUrl) {
		throw new Error("The application issues no tokens");
	}
	const url = new URL(tokenUrl);
	if (operation) {
		url.searchParams.set("operation", operation);
	}
	requireSameOrigin(url);
	const response = await send(() => new Request(url, { headers: { Accept: "application/json" }, cache: "no-store" }));
	if (!response.ok || response.redirected) {
		throw new Error("No token from " + response.url + ": " + response.status);
	}
	return response.json();
}

/** Sends a JSON request with a key that all its attempts share. @param {RequestInfo | URL} resource @param {import("./idempotent").FetchOptions} [options] */
function fetchOnce(resource, { key = newKey(), ...options } = {}) {
	const original = new Request(resource, options);
	original.headers.set(settings.keyHeader, key);
	return send(() => {
		const request = original.clone();
		const isOwn = new URL(request.url).origin === location.origin;
		if (!isOwn || /^(GET|HEAD)$/.test(request.method) || !addCsrf(request.headers)) {
			return request;
		}
		// Or a redirect would take the CSRF token to another origin.
		const { referrer, referrerPolicy } = original;
		return new Request(request, { mode: "same-origin", referrer, referrerPolicy });
	});
}

/** The state of a form. After a reload a submission goes on whose response was never seen, and after Back one that was answered. @param {HTMLFormElement} form */
function stateOf(form) {
	let state = states.get(form);
	if (!state) {
		state = { place: `idempotent:${location.pathname}${location.search}#${of(form, "getAttribute")("id") || [...of(document, "forms")].indexOf(form)}` };
		const [, done, token] = /^(done )?(.+)/.exec(stored(state.place)) ?? [];
		const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
		if (token && (!done || visit.type === "back_forward")) {
			Object.assign(state, { token, done: Boolean(done), sent: true });
		}
		state.token ??= fieldOf(form)?.value;
		states.set(form, state);
	}
	return state;
}

/** @param {string} place @param {string} [value] */
function stored(place, value) {
	try {
		if (value !== undefined) {
			sessionStorage[place] = value;
		}
		return sessionStorage[place] ?? "";
	}
	catch {
		// Without storage a token does not survive a reload.
		return "";
	}
}

/** @param {HTMLFormElement} form @returns {HTMLInputElement | null} */
const fieldOf = (form) => of(form, "querySelector")(`input[name="${CSS.escape(settings.tokenField)}"]`);

/** @param {HTMLFormElement} form @param {string} value */
function fill(form, value) {
	let field = fieldOf(form);
	if (!field) {
		field = of(form, "appendChild")(of(document, "createElement")("input"));
		field.type = "hidden";
		field.name = settings.tokenField;
	}
	// Or the browser would restore a used token after Back or a reload.
	field.autocomplete = "off";
	field.value = value;
}

/** The entries of a form, with the line breaks that a browser would send. @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
function entriesOf(form, submitter) {
	const entries = [...new FormData(form, submitter)];
	return entries.filter(([name]) => name !== settings.tokenField).map(([name, value]) =>
		/** @type {[string, string | File]} */ ([name, typeof value === "string" ? value.replace(/\r\n?|\n/g, "\r\n") : value]));
}

/** Submits a form once. While it is under way, each call gets the same response. @param {HTMLFormElement} form @param {import("./idempotent").SubmitOptions} [options] */
function submit(form, options = {}) {
	const state = stateOf(form);
	state.busy ??= run(form, state, options).finally(() => delete state.busy);
	return state.busy.then((response) => response.clone());
}

/** Forgets the token of a form: the next submission is another operation, whatever its entries. @param {HTMLFormElement} form */
function reset(form) {
	stored(stateOf(form).place, "");
	fieldOf(form)?.remove();
	states.delete(form);
}

/** @param {HTMLFormElement} form @param {State} state @param {import("./idempotent").SubmitOptions} options @returns {Promise<Response>} */
async function run(form, state, options) {
	// First, since a disabled button has no entry.
	const entries = entriesOf(form, options.submitter);
	const idle = busy(form);
	return exchange(form, state, entries, options).finally(idle);
}

/** @param {HTMLFormElement} form @param {State} state @param {[string, string | File][]} entries @param {import("./idempotent").SubmitOptions} options @returns {Promise<Response>} */
async function exchange(form, state, entries, { submitter, url, headers, body, signal }) {
	/** @param {string} name */
	const attribute = (name) => submitter?.getAttribute("form" + name) || of(form, "getAttribute")(name);
	const target = new URL(url ?? (attribute("action") || location.href), of(document, "baseURI"));
	requireSameOrigin(target);
	const csrfField = meta("_csrf_parameter") ?? "_csrf";
	const { sent, done } = state;
	for (let renewed = false; ; renewed = true) {
		const value = state.token ||= /** @type {string} */ ((await token(of(form, "dataset").idempotent)).token);
		fill(form, value);
		state.sent = true;
		state.done = false;
		stored(state.place, value);
		let attempts = 0;
		const response = await send(() => {
			attempts++;
			const all = new Headers(headers);
			const isForm = body === undefined;
			all.set(REDIRECT, "manual");
			if (!all.has("Accept")) {
				all.set("Accept", "application/problem+json, application/json, text/html;q=0.9, */*;q=0.8");
			}
			all.set(settings.tokenHeader, value);
			if (!isForm || !entries.some(([name]) => name === csrfField)) {
				addCsrf(all);
			}
			return new Request(target, { method: "POST", headers: all, body: isForm ? encode(entries, attribute("enctype")) : body, redirect: "manual", signal });
		});
		const code = await codeOf(response);
		state.done = !await isTemporary(response);
		stored(state.place, (state.done ? "done " : "") + value);
		// Another token only where nothing can have taken effect under this one, or where its response was seen and the entries have changed since.
		const unknown = code === "token-unknown";
		if (unknown || code === "key-reused" && done) {
			delete state.token;
			stored(state.place, "");
		}
		if (state.token || renewed || unknown && (sent && !done || attempts > 1)) {
			return response;
		}
	}
}

/** @param {[string, string | File][]} entries @param {string | null} type */
function encode(entries, type) {
	if (type?.toLowerCase() !== "multipart/form-data") {
		return new URLSearchParams(entries.map(([name, value]) => [name, typeof value === "string" ? value : value.name]));
	}
	const data = new FormData();
	entries.forEach(([name, value]) => data.append(name, value));
	return data;
}

/** Disables the buttons of a form until the returned function is called. @param {HTMLFormElement} form */
function busy(form) {
	const focused = of(document, "activeElement");
	const buttons = /** @type {HTMLButtonElement[]} */ ([...of(form, "elements")])
		.filter((button) => /^(submit|image)$/.test(button.type) && !button.disabled);
	of(form, "setAttribute")("aria-busy", "true");
	buttons.forEach((button) => button.disabled = true);
	return () => {
		of(form, "removeAttribute")("aria-busy");
		buttons.forEach((button) => button.disabled = false);
		if (buttons.some((button) => button === focused) && of(document, "activeElement") === of(document, "body")) {
			/** @type {HTMLElement} */ (focused).focus();
		}
	};
}

/** @param {HTMLFormElement} form @param {string} type @param {object} detail whether the page leaves it to the script */
const leaves = (form, type, detail) => of(form, "dispatchEvent")(new CustomEvent("idempotent:" + type, { bubbles: true, cancelable: true, detail }));

/** Lets the browser submit the form itself, with the same token: it gets the recorded response, and shows it as it would without a script. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
function pass(form, submitter) {
	const state = stateOf(form);
	state.passing = true;
	of(form, "requestSubmit")(submitter);
	state.passing = false;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter @param {Response} response */
function show(form, submitter, response) {
	if (leaves(form, "response", { response, replayed: isReplay(response) })) {
		// A browser follows no redirect to javascript:, which location.assign would run.
		const to = response.status === 204 && response.headers.get(REDIRECT);
		const url = to && !to.includes("#") && new URL(to, response.url);
		url && /^https?:$/.test(url.protocol) ? location.assign(url) : pass(form, submitter);
	}
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter @param {unknown} error */
function fail(form, submitter, error) {
	if (leaves(form, "error", { error })) {
		pass(form, submitter);
	}
}

// Before the handlers of the page, which have seen this submission.
onSubmit((event) => {
	if (states.get(/** @type {HTMLFormElement} */ (event.target))?.passing) {
		event.stopImmediatePropagation();
	}
}, true);

// After them: one that prevents the default handles the form itself.
onSubmit((event) => {
	const form = /** @type {HTMLFormElement} */ (event.target);
	const submitter = event.submitter;
	/** @param {string} name */
	const attribute = (name) => submitter?.getAttribute("form" + name) || of(form, "getAttribute")(name) || "";
	if (event.defaultPrevented || !of(form, "hasAttribute")("data-idempotent")) {
		return;
	}
	if (!/^post$/i.test(attribute("method")) || new URL(attribute("action"), of(document, "baseURI")).origin !== location.origin) {
		// The state keeps the token, which would go to another origin or into an address.
		stateOf(form);
		fieldOf(form)?.remove();
		return;
	}
	event.preventDefault();
	if (!stateOf(form).busy) {
		submit(form, { submitter }).then((response) => show(form, submitter, response), (error) => fail(form, submitter, error));
	}
}, false);

window.Idempotent = Object.freeze({ submit, reset, fetch: fetchOnce, token, isReplay });
})();
