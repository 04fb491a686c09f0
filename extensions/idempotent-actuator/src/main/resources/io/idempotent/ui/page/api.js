// The actuator endpoints, as the page's <meta> elements name them.

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content;

/** By id: path is absent where the endpoint is not exposed, writable tells whether its access is unrestricted. */
export const endpoints = Object.fromEntries([...document.querySelectorAll('meta[name="idempotent-endpoint"]')]
	.map((element) => [element.content, { path: element.dataset.path, writable: element.dataset.writable === "true" }]));

/** What went wrong: "hidden", "away", "login", "forbidden", "absent", "refused" or "failed". */
export class EndpointError extends Error {

	constructor(reason, endpoint, status, body) {
		super(body?.detail ?? body?.message ?? body?.error ?? "");
		this.reason = reason;
		this.endpoint = endpoint;
		this.status = status;
		this.body = body;
	}

}

const REASONS = { 401: "login", 403: "forbidden", 404: "absent", 405: "readonly", 400: "refused", 409: "refused", 422: "refused" };

/** Fencing tokens may be greater than the integers that JavaScript knows: those stay text, where the browser can tell. */
function parse(json) {
	return JSON.parse(json, (name, value, context) =>
		Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value);
}

export function get(endpoint, parameters = {}, suffix = "") {
	const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "")).toString();
	return call(endpoint, suffix + (query && "?" + query), { method: "GET" });
}

/** A change needs Spring Security's CSRF token: that of the cookie for scripts, as it is now, or else that of the page. */
export async function post(endpoint, body, suffix = "") {
	const tokens = [["X-XSRF-TOKEN", cookie("XSRF-TOKEN")], [meta("_csrf_header"), meta("_csrf")]].filter(([, token]) => token);
	const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
	for (const [header, token] of tokens.slice(0, -1)) {
		try {
			return await call(endpoint, suffix, { ...options, headers: { ...options.headers, [header]: token } });
		}
		catch (error) {
			// Nothing was changed; the cookie may be that of another application on this host.
			if (error.reason !== "forbidden") {
				throw error;
			}
		}
	}
	const [last] = tokens.slice(-1);
	return call(endpoint, suffix, last ? { ...options, headers: { ...options.headers, [last[0]]: last[1] } } : options);
}

function cookie(name) {
	const value = new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1];
	return value && decodeURIComponent(value);
}

async function call(endpoint, suffix, options) {
	const path = endpoints[endpoint]?.path;
	if (path === undefined) {
		throw new EndpointError("hidden", endpoint);
	}
	// A login page is a redirect, or a 401 that asks nothing of the browser since this header is there.
	const headers = { Accept: "application/json", "X-Requested-With": "XMLHttpRequest", ...options.headers };
	const response = await fetch(path + suffix, { ...options, headers, redirect: "manual", cache: "no-store" }).catch(() => {
		throw new EndpointError("away", endpoint);
	});
	if (response.type === "opaqueredirect") {
		throw new EndpointError("login", endpoint);
	}
	const body = await response.text().then(parse).catch(() => undefined);
	if (!response.ok) {
		throw new EndpointError(REASONS[response.status] ?? "failed", endpoint, response.status, body);
	}
	return body;
}
