// The dialog before anything is changed: what it does, when it is wrong, and the reason for the audit log.

import { h, show } from "./dom.js";
import { problem } from "./notice.js";
import { t } from "./text.js";

/**
 * Asks for a reason and carries out an action. The action gets { reason, force, input }; where it fails the dialog stays, with
 * the refusal. Resolves to what the action returned, or to undefined if the dialog was cancelled.
 */
export function ask({ title, subject, does, wrong, button, force, input, danger, action }) {
	const opener = document.activeElement.id;
	return new Promise((resolve) => {
		const reason = h("textarea", { id: "reason", rows: 2, required: true, maxlength: 200, autofocus: true });
		const forced = h("input", { type: "checkbox", id: "force" });
		const given = h("textarea", { id: "input", rows: 2 });
		const failure = h("div", { role: "alert" });
		const submit = h("button", { type: "submit", class: danger ? "danger" : "primary" }, button);
		let result;
		const send = async (event) => {
			event.preventDefault();
			submit.disabled = true;
			try {
				result = await action({ reason: reason.value.trim(), force: forced.checked, input: given.value.trim() });
				dialog.close();
			}
			catch (error) {
				show(failure, problem(error));
			}
			submit.disabled = false;
		};
		const dialog = h("dialog", { "aria-labelledby": "dialog-title", onclose: () => {
			dialog.remove();
			// The view may have been drawn again meanwhile.
			document.getElementById(opener)?.focus();
			resolve(result);
		} }, h("form", { method: "dialog", onsubmit: send },
			h("h2", { id: "dialog-title" }, title),
			h("p", { class: "subject" }, subject),
			h("p", {}, does),
			h("p", { class: "wrong" }, h("strong", {}, t("dialog.wrong")), " ", wrong),
			force && h("p", { class: "check" }, forced, h("label", { for: "force" }, force)),
			input && [h("label", { for: "input" }, input), given],
			h("label", { for: "reason" }, t("dialog.reason")),
			reason,
			h("p", { class: "muted" }, t("dialog.audit")),
			failure,
			h("p", { class: "buttons" },
				h("button", { type: "button", onclick: () => dialog.close() }, t("dialog.cancel")), submit)));
		document.body.append(dialog);
		dialog.showModal();
	});
}
