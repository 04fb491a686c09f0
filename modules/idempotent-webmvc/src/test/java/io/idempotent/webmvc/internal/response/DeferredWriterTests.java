package io.idempotent.webmvc.internal.response;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class DeferredWriterTests {

	private final DeferredBody body = new DeferredBody(new MockHttpServletResponse(), 100);

	private DeferredWriter writer;

	@BeforeEach
	void write() throws Exception {
		this.writer = new DeferredWriter(this.body, "UTF-8");
		this.writer.print("ä");
	}

	@Test
	void whatIsWrittenIsInTheBodyAtOnce() {
		assertThat(this.body.size()).isEqualTo(2);
		this.writer.println('b');
		this.writer.printf("%s", "c");
		this.writer.append("d").write(new char[] { 'e' });
		this.writer.println();
		assertThat(this.body.bytes()).asString(StandardCharsets.UTF_8).matches("äb\\Rcde\\R");
		assertThat(this.body.isFlushedOrClosed()).isFalse();
	}

	@Test
	void itsFlushIsAFlush() {
		this.writer.flush();
		assertThat(this.body.size()).isEqualTo(2);
		assertThat(this.body.isFlushedOrClosed()).isTrue();
	}

	@Test
	void theFlushOfAWriterAroundItIsAFlush() {
		new PrintWriter(this.writer).flush();
		assertThat(this.body.isFlushedOrClosed()).isTrue();
	}

}
