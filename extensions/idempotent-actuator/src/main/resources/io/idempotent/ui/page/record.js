// One record: its state, its owner, and what to do about it.

import { actions } from "./actions.js";
import { definitions, h } from "./dom.js";
import { duration } from "./format.js";
import { readOnly } from "./notice.js";
import { language, named, t } from "./text.js";

const TONES = { ABSENT: "", ISSUED: "", IN_PROGRESS: "run", UNKNOWN: "warn", COMPLETED: "ok" };

export function badge(state) {
	return h("span", { class: "badge", "data-tone": TONES[state] }, named("state.", state), h("code", {}, state));
}

function owner(record) {
	return record.owner && [record.owner.node ?? t("record.ownerUnknown"),
		record.owner.thisNode ? " · " + t("record.thisNode") : "",
		record.owner.id && [" ", h("code", { class: "muted" }, record.owner.id)]];
}

function response(record) {
	if (!record.response) {
		return undefined;
	}
	const { status, bytes, body, base64 } = record.response;
	return [[status !== undefined && t("record.status", status), t("record.bytes", bytes)].filter(Boolean).join(" · "),
		(body ?? base64) !== undefined && h("pre", {}, body ?? base64)];
}

function receipt(record) {
	return record.receipt && [named("receipt.", record.receipt.outcome),
		record.receipt.attempt !== undefined && " · " + t("record.attemptNumber", record.receipt.attempt)];
}

/** The advice of the endpoint is English; readers of another language get what the state means, too. */
function explanation(record) {
	const english = language() === "en";
	return [(!english || !record.advice) && h("p", { class: "advice" }, t("meaning." + record.state)),
		record.advice && h("p", { class: english ? "advice" : "muted", lang: "en" }, record.advice)];
}

/** The record as the endpoint gives it. After an action, `changed` gets the new one. */
export function recordView(record, changed) {
	return h("article", { class: "record", "aria-labelledby": "record" },
		h("h2", { id: "record" }, h("code", {}, record.operation ?? record.hash), " ", badge(record.state)),
		explanation(record),
		actions(record, record.state, changed),
		["IN_PROGRESS", "UNKNOWN"].includes(record.state) && readOnly("idempotent"),
		definitions([
			[t("record.hash"), record.hash && h("code", {}, record.hash)],
			[t("record.id"), record.id && h("code", {}, record.id)],
			[t("record.storeKey"), record.storeKey && h("code", {}, record.storeKey)],
			[t("record.attempt"), record.attempt],
			[t("record.age"), duration(record.age)],
			[t("record.owner"), owner(record)],
			[t("record.leaseLeft"), duration(record.leaseLeft)],
			[t("record.retentionLeft"), duration(record.retentionLeft)],
			[t("record.receipt"), receipt(record)],
			[t("record.response"), response(record)],
			[t("record.trace"), record.trace && h("code", {}, record.trace)],
		]));
}
