package io.idempotent.webmvc;

import java.util.List;
import java.util.Map;

import io.idempotent.ApiIdempotent;
import io.idempotent.KeySource;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The spans of submissions, as OpenTelemetry exports them.
 */
class ReplayTraceTests {

	private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");

	private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();

	@RegisterExtension
	static final TestServer node = TestServer.of(Orders.class);

	@RegisterExtension
	static final TestServer otherNode = TestServer.of(Orders.class);

	private final String key = TestServer.newKey();

	@BeforeEach
	void reset() {
		SPANS.reset();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aReplayLinksToTheRun(boolean onOtherNode) {
		node.submit("/orders", this.key);
		SpanData run = span("run");
		assertThat(TestServer.isReplayed((onOtherNode ? otherNode : node).submit("/orders", this.key))).isTrue();
		SpanData replay = span("replayed");
		assertThat(replay.getTraceId()).isNotEqualTo(run.getTraceId());
		assertThat(replay.getLinks()).singleElement()
			.extracting(LinkData::getSpanContext)
			.satisfies((linked) -> assertThat(linked.getTraceId()).isEqualTo(run.getTraceId()))
			.satisfies((linked) -> assertThat(linked.getSpanId()).isEqualTo(run.getParentSpanId()));
	}

	@Test
	void aRunLinksToNothing() {
		node.submit("/orders", this.key);
		assertThat(span("run").getLinks()).isEmpty();
	}

	@Test
	void aSpanCoversTheSubmission() {
		node.submit("/orders", this.key);
		SpanData run = span("run");
		assertThat(run.getName()).isEqualTo("submit Orders.create");
		assertThat(run.getAttributes().get(AttributeKey.stringKey("idempotent.key"))).hasSize(12);
		SpanData request = await()
			.until(() -> spans().stream().filter((span) -> span.getSpanId().equals(run.getParentSpanId())).toList(),
					(found) -> !found.isEmpty())
			.get(0);
		assertThat(run.getStartEpochNanos()).isGreaterThanOrEqualTo(request.getStartEpochNanos() - 1_000_000);
		assertThat(run.getEndEpochNanos()).isGreaterThan(run.getStartEpochNanos());
	}

	@Test
	void spansOfTheOperationAreItsChildren() {
		node.submit("/traced", this.key);
		SpanData run = span("run");
		assertThat(spans()).filteredOn((span) -> span.getName().equals("work"))
			.singleElement()
			.extracting(SpanData::getParentSpanId)
			.isEqualTo(run.getSpanId());
	}

	private static SpanData span(String outcome) {
		return await()
			.until(() -> spans().stream().filter((span) -> outcome.equals(span.getAttributes().get(OUTCOME))).toList(),
					(found) -> found.size() == 1)
			.get(0);
	}

	private static List<SpanData> spans() {
		return SPANS.getFinishedSpanItems();
	}

	@RestController
	static class Orders {

		private final Tracer tracer;

		Orders(Tracer tracer) {
			this.tracer = tracer;
		}

		/** Not closed, which would stop the exporter of all. */
		@Bean(destroyMethod = "")
		static SdkTracerProvider tracerProvider() {
			return SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(SPANS)).build();
		}

		@Bean
		static Tracer tracer(SdkTracerProvider provider) {
			return new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), (event) -> {
			});
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/orders")
		Map<String, Object> create() {
			return Map.of();
		}

		@ApiIdempotent(KeySource.HEADER)
		@PostMapping("/traced")
		Map<String, Object> traced() {
			this.tracer.nextSpan().name("work").start().end();
			return Map.of();
		}

	}

}
