// Operations with steps that have not ended, oldest first, and what an operator does about them.

import { endpoints, get, post } from "./api.js";
import { ask } from "./dialog.js";
import { h, show, table } from "./dom.js";
import { hash, time } from "./format.js";
import { announce, poll } from "./live.js";
import { notice, problem, readOnly } from "./notice.js";
import { t } from "./text.js";

const ENDPOINT = "idempotentsteps";
const INTERVAL = 5000;

async function carryOut(action, operation, step, refresh) {
	const settled = await ask({
		title: t(action + ".title"),
		subject: [h("code", {}, operation.operation), " ", h("code", {}, step?.name ?? hash(operation.id))],
		does: t(action + ".does"),
		wrong: t(action + ".wrong"),
		button: t(action + ".button"),
		danger: action !== "resume",
		input: action === "confirmStep" && t("confirmStep.result"),
		action: ({ reason, input }) => post(ENDPOINT, { action: action.replace(/Step|Operation/, ""), step: step?.name,
			result: input || undefined, reason }, "/" + operation.id),
	});
	if (settled) {
		announce(t(action + ".done", step?.name ?? hash(operation.id)), "ok");
		refresh();
	}
}

function button(action, operation, step, refresh) {
	return h("button", { type: "button", id: action + "-" + operation.id + (step ? "-" + step.name : ""),
		disabled: !endpoints[ENDPOINT].writable, onclick: () => carryOut(action, operation, step, refresh) },
	t(action + ".open"));
}

function state(step) {
	const [tone, text] = step.doneAt ? ["ok", "done"] : step.interrupted ? ["warn", "interrupted"] : ["bad", "failed"];
	return h("span", { class: "badge", "data-tone": tone }, t("step." + text));
}

function stepView(operation, step, refresh) {
	return h("div", {}, h("code", {}, step.name), " ", state(step), " ",
		h("span", { class: "muted" }, step.node, " ", time(step.doneAt ?? step.startedAt)),
		step.error && h("div", { lang: "en" }, step.error),
		step.interrupted && h("p", { class: "buttons" },
			["confirmStep", "repeatStep"].map((action) => button(action, operation, step, refresh))));
}

function resumption(operation, refresh) {
	const { resumption: planned } = operation;
	const end = button("endOperation", operation, undefined, refresh);
	return planned ? [planned.nextAt ? [t("steps.next", planned.times), " ", time(planned.nextAt)] : t("steps.abandoned", planned.times),
		h("p", { class: "buttons" }, button("resume", operation, undefined, refresh), end)]
		: [t("steps.caller"), h("p", { class: "buttons" }, end)];
}

function rows(operations, refresh) {
	return operations.map((operation) => [
		[h("code", {}, operation.operation), " ",
			h("a", { href: "#/find?id=" + encodeURIComponent(operation.id), id: "open-" + operation.id }, h("code", {}, hash(operation.id)))],
		[time(operation.lastAttemptAt), " · ", t("record.attemptNumber", operation.attempts), " · ", operation.node,
			operation.error && h("div", { lang: "en" }, operation.error)],
		operation.steps.map((step) => stepView(operation, step, refresh)),
		resumption(operation, refresh)]);
}

export function steps(signal) {
	const content = h("div", {}, h("p", { class: "muted" }, t("loading")));
	const refresh = async () => {
		try {
			const { unfinished, complete } = await get(ENDPOINT);
			show(content, unfinished.length === 0 ? h("p", { class: "empty" }, t("steps.none"))
				: table(t("steps.caption"), [t("operation"), t("steps.last"), t("steps.steps"), t("steps.repeat")], rows(unfinished, refresh), "steps"),
			complete === false && notice("info", t("steps.incomplete")), readOnly(ENDPOINT));
		}
		catch (error) {
			show(content, problem(error));
		}
	};
	poll(refresh, INTERVAL, signal);
	return h("section", {}, h("p", {}, t("steps.what")), content);
}
