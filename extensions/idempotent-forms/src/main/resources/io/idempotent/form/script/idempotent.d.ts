/** Options of a submission. */
export interface SubmitOptions {
	/** The button that was pressed: its name, formaction and formenctype count. */
	submitter?: HTMLElement | null;
	/** Where to, instead of the form's action; never another origin. */
	url?: string | URL;
	/** More headers. */
	headers?: HeadersInit;
	/** What to send instead of the form's entries, such as JSON. */
	body?: string;
	/** Ends the submission. The operation may take effect all the same. */
	signal?: AbortSignal;
}

/** Options of a request with a key. */
export interface FetchOptions extends RequestInit {
	/** The key; a random UUID by default. Pass it again to repeat the same operation in another call. */
	key?: string;
}

/** A token, as the server issues it. */
export interface Token {
	token: string;
	/** The header to send it in. */
	header: string;
	/** The seconds in which it can be used for the first time. */
	expiresIn: number;
}

export interface IdempotentScript {
	/**
	 * Submits a form with its token, and repeats the submission on connection failures, while it is in progress, and on 503.
	 * While a submission of the form is under way, each call gets its response.
	 */
	submit(form: HTMLFormElement, options?: SubmitOptions): Promise<Response>;
	/** Forgets the token of a form: the next submission is another operation, even with the same entries. */
	reset(form: HTMLFormElement): void;
	/** Like the global fetch, with an idempotency key, and repeated in the same cases. */
	fetch(resource: RequestInfo | URL, options?: FetchOptions): Promise<Response>;
	/** Fetches a token for any operation, or for one. */
	token(operation?: string): Promise<Token>;
	/** Whether a response is a replay of an earlier one. */
	isReplay(response: Response): boolean;
}

declare global {
	const Idempotent: Readonly<IdempotentScript>;
	interface Window {
		Idempotent: Readonly<IdempotentScript>;
	}
	interface GlobalEventHandlersEventMap {
		/** A form has a response. Prevent the default to show it yourself. */
		"idempotent:response": CustomEvent<{ response: Response; replayed: boolean }>;
		/** There is no response, or no token. Prevent the default to show it yourself. */
		"idempotent:error": CustomEvent<{ error: unknown }>;
	}
}
