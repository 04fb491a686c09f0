// Search by the raw key, or by the short hash that logs, spans, Redis keys and receipts have.

import { get } from "./api.js";
import { h, show } from "./dom.js";
import { announce, poll } from "./live.js";
import { problem } from "./notice.js";
import { recordView } from "./record.js";
import { named, t } from "./text.js";

const INTERVAL = 2000;

function field(id, label, attributes = {}, hint) {
	return h("p", { class: "field" }, h("label", { for: id }, label),
		h("input", { id, name: id, type: "text", autocomplete: "off", spellcheck: "false", autocapitalize: "none",
			"aria-describedby": hint && id + "-hint", ...attributes }),
		hint && h("small", { id: id + "-hint", class: "muted" }, hint));
}

function values(form) {
	return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
}

function operationField(operations) {
	return h("p", { class: "field" }, h("label", { for: "operation" }, t("operation")),
		operations.length === 0 ? h("input", { id: "operation", name: "operation", required: true, type: "text" })
			: h("select", { id: "operation", name: "operation", required: true },
				operations.map((operation) => h("option", { value: operation.name }, operation.name))));
}

class Find {

	result = h("div", { class: "result" });

	shown = undefined;

	constructor(signal) {
		this.signal = signal;
	}

	/** Looks a record up; later looks are silent, and leave alone what has not changed. */
	async look(parameters, silent) {
		try {
			const record = await get("idempotent", parameters, "/record");
			if (this.signal.aborted) {
				// Another view is shown, whose address stays.
				return;
			}
			if (!silent) {
				announce(t("find.found", named("state.", record.state)));
			}
			else if (record.state !== this.shown?.state) {
				announce(t("find.changed", named("state.", record.state)));
			}
			this.show(record);
		}
		catch (error) {
			if (!silent) {
				show(this.result, problem(error));
				this.shown = undefined;
			}
		}
	}

	show(record) {
		this.shown = record;
		show(this.result, recordView(record, (changed) => this.show(changed)));
		if (record.id) {
			// The address leads back to the record, and does not contain the customer's key.
			history.replaceState(null, "", "#/find?id=" + encodeURIComponent(record.id));
		}
	}

	/** Follows an operation that may still end. */
	follow() {
		poll(async () => {
			if (["IN_PROGRESS", "UNKNOWN"].includes(this.shown?.state) && !document.querySelector("dialog")) {
				await this.look({ id: this.shown.id }, true);
			}
		}, INTERVAL, this.signal);
	}

}

/** What belongs to a key only sometimes. */
function rarer(asked) {
	const names = ["method", "path", "tenant", "session"];
	return h("details", { open: names.some((name) => asked[name]) }, h("summary", {}, t("find.rarer")),
		h("p", { class: "muted" }, t("find.rarerHint")),
		h("div", { class: "fields" }, names.map((name) => field(name, t("find." + name), { value: asked[name] }))));
}

function byKey(find, operations, asked) {
	const form = h("form", { class: "card", onsubmit: (event) => {
		event.preventDefault();
		find.look(values(form));
	} }, h("h2", {}, t("find.byKey")), h("div", { class: "fields" }, operationField(operations),
		field("key", t("find.key"), { required: true, value: asked.key }, t("find.keyHint")),
		field("caller", t("find.caller"), { value: asked.caller }, t("find.callerHint"))), rarer(asked),
	h("button", { type: "submit", class: "primary" }, t("find.button")));
	if (asked.operation) {
		form.elements.operation.value = asked.operation;
	}
	return form;
}

function byHash(find, asked) {
	const form = h("form", { class: "card", onsubmit: (event) => {
		event.preventDefault();
		find.look(values(form));
	} }, h("h2", {}, t("find.byHash")), h("div", { class: "fields" },
		field("id", t("record.hash"), { required: true, minlength: 12, maxlength: 43, value: asked.id }, t("find.hashHint"))),
	h("button", { type: "submit", class: "primary" }, t("find.button")));
	return form;
}

export function find(signal, asked) {
	const search = new Find(signal);
	const forms = h("div", { class: "forms" });
	const build = (operations) => show(forms, byKey(search, operations, asked), byHash(search, asked));
	get("idempotent").then((description) => build(description.operations)).catch((error) => {
		build([]);
		show(search.result, problem(error));
	});
	if (asked.id || asked.key) {
		search.look(asked);
	}
	search.follow();
	return [forms, search.result];
}
