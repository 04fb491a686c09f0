package io.idempotent.administration.autoconfigure;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;

import io.idempotent.administration.Intervention;
import io.idempotent.administration.OperationRecord;
import io.idempotent.administration.autoconfigure.OperationCatalog.StoredAnswer;
import io.idempotent.administration.autoconfigure.Responses.InterventionBody;
import io.idempotent.administration.autoconfigure.Responses.OwnerBody;
import io.idempotent.administration.autoconfigure.Responses.ReceiptBody;
import io.idempotent.administration.autoconfigure.Responses.RecordBody;
import io.idempotent.administration.autoconfigure.Responses.ResponseBody;
import io.idempotent.store.Origin;
import io.idempotent.store.Outcome;
import io.idempotent.store.Owner;
import io.idempotent.store.RecordState;
import io.idempotent.submission.receipt.Receipts.Receipt;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.util.InvalidMimeTypeException;
import org.springframework.util.MimeType;

/** Describes records to users of the endpoint. */
record RecordBodies(OperationDirectory directory, String node, IdempotentEndpointProperties properties) {

	/** A part of the owner, enough to identify it in a dump of the store. */
	private static final int OWNER_BYTES = 6;

	/** The name of the operation is known from the request, or not. */
	RecordBody of(OperationRecord record, @Nullable String named, @Nullable Intervention intervention,
			SecurityContext security) {
		Origin origin = record.origin();
		String operation = (origin != null) ? origin.operation() : named;
		Duration age = record.age();
		boolean present = record.state() != RecordState.ABSENT;
		return new RecordBody(record.id(), record.hash(), record.storeName(), operation, record.state(),
				present ? record.attempt() : null, (age != null) ? age.truncatedTo(ChronoUnit.MILLIS) : null,
				owner(record), orNull(record.leaseLeft()), orNull(record.retentionLeft()), receipt(record.receipt()),
				(record.outcome() instanceof Outcome.Stored stored) ? response(stored.answer(), operation, security)
						: null,
				(origin != null) ? origin.traceparent() : null, record.advice().text(),
				(intervention != null) ? InterventionBody.of(intervention) : null);
	}

	private @Nullable OwnerBody owner(OperationRecord record) {
		Owner owner = record.owner();
		Origin origin = record.origin();
		if (owner == null) {
			return null;
		}
		String claimedOn = (origin != null) ? origin.node() : null;
		return new OwnerBody(HexFormat.of().formatHex(owner.bytes(), 0, OWNER_BYTES), claimedOn,
				record.onThisNode() || this.node.equals(claimedOn));
	}

	private static @Nullable Duration orNull(Duration left) {
		return left.isZero() ? null : left;
	}

	private static @Nullable ReceiptBody receipt(@Nullable Receipt receipt) {
		return (receipt != null) ? new ReceiptBody(receipt.attempt(),
				(receipt.outcome() instanceof Outcome.Stored) ? "stored" : "committed") : null;
	}

	private ResponseBody response(byte[] answer, @Nullable String operation, SecurityContext security) {
		StoredAnswer stored = read(answer, operation);
		if (stored == null) {
			return new ResponseBody(null, answer.length, null, null, null);
		}
		byte[] body = stored.body();
		if (!this.properties.showResponse().isShown(security, this.properties.roles())) {
			return new ResponseBody(stored.status(), body.length, null, null, null);
		}
		Charset charset = charset(stored.contentType());
		return new ResponseBody(stored.status(), body.length, stored.contentType(),
				(charset != null) ? new String(body, charset) : null,
				(charset != null) ? null : Base64.getEncoder().encodeToString(body));
	}

	/** Nothing if this node does not know the operation or its format. */
	private @Nullable StoredAnswer read(byte[] answer, @Nullable String operation) {
		OperationCatalog catalog = this.directory.catalog(operation).orElse(null);
		try {
			return (catalog != null) ? catalog.read(answer) : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** The charset of a text, or nothing for other content. */
	private static @Nullable Charset charset(@Nullable String contentType) {
		try {
			MimeType type = MimeType.valueOf((contentType != null) ? contentType : "application/octet-stream");
			Charset charset = type.getCharset();
			boolean text = type.getType().equals("text") || type.getSubtype().matches("(.+\\+)?(json|xml)")
					|| charset != null;
			return text ? (charset != null) ? charset : StandardCharsets.UTF_8 : null;
		}
		catch (InvalidMimeTypeException ex) {
			return null;
		}
	}

}
