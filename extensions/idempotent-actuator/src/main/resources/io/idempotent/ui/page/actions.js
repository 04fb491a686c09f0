// Release and confirm: what an operator does about an operation whose outcome is not known.

import { endpoints, post } from "./api.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { hash } from "./format.js";
import { announce } from "./live.js";
import { t } from "./text.js";

function subject(operation) {
	return [h("code", {}, operation.operation), " ", h("code", {}, hash(operation.hash ?? operation.id))];
}

async function carryOut(action, operation, ownerAlive, done) {
	const result = await ask({
		title: t(action + ".title"),
		subject: subject(operation),
		does: t(action + ".does"),
		wrong: t(action + ".wrong"),
		button: t(action + ".button"),
		danger: true,
		force: ownerAlive && t("force"),
		action: ({ reason, force }) => post("idempotent",
			{ action, id: operation.id, attempt: operation.attempt, reason, force }),
	});
	if (result) {
		announce(t(action + ".done", hash(operation.id)), "ok");
		done(result);
	}
}

/** The two buttons for an operation that is unknown or in progress. After an action, `done` gets the record. */
export function actions(operation, state, done) {
	const ownerAlive = state === "IN_PROGRESS";
	if (!ownerAlive && state !== "UNKNOWN") {
		return undefined;
	}
	const writable = endpoints.idempotent.writable;
	return h("p", { class: "buttons" }, ["release", "confirm"].map((action) => h("button", {
		type: "button", id: action + "-" + operation.id, disabled: !writable,
		onclick: () => carryOut(action, operation, ownerAlive, done),
	}, t(action + ".open"))));
}
