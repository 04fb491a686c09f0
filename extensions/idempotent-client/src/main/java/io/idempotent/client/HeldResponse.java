package io.idempotent.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** Holds the body, or its start, in memory. A whole body has released its connection. */
final class HeldResponse implements ClientHttpResponse {

	private final ClientHttpResponse response;

	private final byte[] held;

	private final InputStream body;

	private HeldResponse(ClientHttpResponse response, byte[] held, InputStream body) {
		this.response = response;
		this.held = held;
		this.body = body;
	}

	/** Reads the body up to a limit, and fails if it ends early. */
	static HeldResponse of(HttpMethod method, ClientHttpResponse response, int limit) throws IOException {
		HttpHeaders headers = response.getHeaders();
		if (BodyLimits.passes(headers, limit)) {
			return new HeldResponse(response, new byte[0], response.getBody());
		}
		InputStream rest = response.getBody();
		byte[] start = rest.readNBytes(limit);
		int next = (start.length < limit) ? -1 : rest.read();
		if (next >= 0) {
			InputStream more = new SequenceInputStream(new ByteArrayInputStream(new byte[] { (byte) next }), rest);
			return new HeldResponse(response, start, new SequenceInputStream(new ByteArrayInputStream(start), more));
		}
		BodyLimits.requireWhole(method, response.getStatusCode(), headers, start.length);
		response.close();
		return new HeldResponse(response, start, new ByteArrayInputStream(start));
	}

	byte[] held() {
		return this.held;
	}

	@Override
	public HttpStatusCode getStatusCode() throws IOException {
		return this.response.getStatusCode();
	}

	@Override
	public String getStatusText() throws IOException {
		return this.response.getStatusText();
	}

	@Override
	public HttpHeaders getHeaders() {
		return this.response.getHeaders();
	}

	@Override
	public InputStream getBody() {
		return this.body;
	}

	@Override
	public void close() {
		this.response.close();
	}

}
