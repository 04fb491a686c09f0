// Creates elements. Text stays text: nothing here, or on this page, parses HTML.

const SVG = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes ?? {})) {
		if (value === undefined || value === null || value === false) {
			continue;
		}
		if (name.startsWith("on")) {
			element.addEventListener(name.slice(2), value);
		}
		else {
			element.setAttribute(name, value === true ? "" : String(value));
		}
	}
	element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
	return element;
}

/** An HTML element: `h("p", { class: "note" }, "text", otherElement)`. */
export function h(name, attributes, ...children) {
	return build(document.createElement(name), attributes, children);
}

/** An SVG element. */
export function svg(name, attributes, ...children) {
	return build(document.createElementNS(SVG, name), attributes, children);
}

/** Replaces what a container shows, and keeps the focus on the element with the same id. */
export function show(container, ...children) {
	const focused = container.contains(document.activeElement) ? document.activeElement.id : "";
	container.replaceChildren(...children.flat(Infinity).filter(Boolean));
	if (focused) {
		document.getElementById(focused)?.focus({ preventScroll: true });
	}
	return container;
}

/** A table whose cells carry their column's heading, for narrow screens. */
export function table(caption, headings, rows, kind) {
	return h("table", { class: kind },
		h("caption", {}, caption),
		h("thead", {}, h("tr", {}, headings.map((heading) => h("th", { scope: "col" }, heading)))),
		h("tbody", {}, rows.map((cells) => h("tr", {},
			cells.map((cell, column) => h("td", { "data-label": headings[column] }, h("div", {}, cell ?? "")))))));
}

/** A list of names and values, without those that have no value. */
export function definitions(entries) {
	return h("dl", {}, entries
		.filter(([, value]) => value !== undefined && value !== null && value !== "")
		.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}
