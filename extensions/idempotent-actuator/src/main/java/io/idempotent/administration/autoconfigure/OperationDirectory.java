package io.idempotent.administration.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

import io.idempotent.administration.IdempotencyAdministration;
import io.idempotent.administration.IdempotencyAdministration.OperationLookup;
import io.idempotent.administration.OperationRecord;
import io.idempotent.administration.autoconfigure.OperationCatalog.Description;
import io.idempotent.administration.autoconfigure.OperationCatalog.SentKey;
import io.idempotent.administration.autoconfigure.PolicySettings.Setting;
import io.idempotent.administration.autoconfigure.Responses.ErrorBody;
import io.idempotent.administration.autoconfigure.Responses.OperationBody;
import io.idempotent.store.KeyPrefix;
import io.idempotent.store.OperationKey;
import io.idempotent.store.Origin;
import io.idempotent.store.RecordState;
import org.jspecify.annotations.Nullable;

/** The operations of this node, and their records. */
final class OperationDirectory {

	/** The maximum number of operations in an error. */
	private static final int MAX_LISTED = 50;

	private static final int ID_LENGTH = 43;

	private final List<OperationCatalog> catalogs;

	private final Function<Description, List<Setting>> settings;

	private final IdempotencyAdministration administration;

	/** Cached, since settings do not change and the page requests them often. */
	private final Map<Description, List<Setting>> described = new ConcurrentHashMap<>();

	OperationDirectory(List<OperationCatalog> catalogs, Function<Description, List<Setting>> settings,
			IdempotencyAdministration administration) {
		this.catalogs = catalogs;
		this.settings = settings;
		this.administration = administration;
	}

	List<OperationBody> describe() {
		return this.catalogs.stream()
			.flatMap((catalog) -> catalog.operations()
				.stream()
				.map((operation) -> OperationBody.of(operation, catalog.entrance(),
						this.described.computeIfAbsent(operation, this.settings))))
			.toList();
	}

	Optional<OperationCatalog> catalog(@Nullable String operation) {
		return this.catalogs.stream()
			.filter((catalog) -> catalog.operations().stream().anyMatch((known) -> known.name().equals(operation)))
			.findFirst();
	}

	/** Finds a record. Fails if the query cannot have a record, or has several. */
	Found find(@Nullable String id, @Nullable String operation, @Nullable String entrance, SentKey sent) {
		if (id != null && !id.isEmpty()) {
			return byId(id);
		}
		if (operation == null || operation.isEmpty()) {
			throw unknown("Give 'id', or 'operation' and 'key'");
		}
		OperationCatalog catalog = catalog(operation, entrance);
		if (sent.key().isEmpty()) {
			throw new BadRequestException("Give the parameter 'key' as the client sent it, or 'id' alone");
		}
		return new Found(firstPresent(catalog.keys(operation, sent)), operation);
	}

	private OperationRecord firstPresent(List<OperationKey> keys) {
		OperationRecord first = this.administration.find(keys.get(0));
		return Stream.concat(Stream.of(first), keys.stream().skip(1).map(this.administration::find))
			.filter((record) -> record.state() != RecordState.ABSENT)
			.findFirst()
			.orElse(first);
	}

	private OperationCatalog catalog(String operation, @Nullable String entrance) {
		Optional<OperationCatalog> known = catalog(operation);
		if (known.isPresent() && (entrance == null || known.get().entrance().equals(entrance))) {
			return known.get();
		}
		// Code may give any name to a template.
		return this.catalogs.stream()
			.filter((catalog) -> "method".equals(entrance) && catalog.entrance().equals(entrance))
			.findFirst()
			.orElseThrow(() -> unknown("This node does not know the operation. If code gives its name to an "
					+ "IdempotencyTemplate, add entrance=method"));
	}

	private BadRequestException unknown(String error) {
		List<String> names = this.catalogs.stream()
			.flatMap((catalog) -> catalog.operations().stream())
			.map(Description::name)
			.distinct()
			.sorted()
			.limit(MAX_LISTED)
			.toList();
		return new BadRequestException(400, new ErrorBody(error, names, null, null, null));
	}

	private Found byId(String id) {
		KeyPrefix prefix = prefix(id);
		if (id.length() == ID_LENGTH) {
			OperationRecord record = this.administration.find(key(id));
			return new Found(record, record.operation());
		}
		OperationLookup lookup = this.administration.find(prefix);
		List<OperationRecord> records = lookup.records();
		if (records.size() > 1) {
			List<String> ids = records.stream().map(OperationRecord::id).sorted().toList();
			throw new BadRequestException(409, new ErrorBody(
					"Several records begin with this id: give all 43 characters of one", null, ids, null, null));
		}
		if (records.isEmpty()) {
			throw new BadRequestException(404, ErrorBody.of(lookup.complete() ? "No record begins with this id"
					: "The search was given up before all records were compared: give all 43 characters of the id, or "
							+ "operation and key"));
		}
		return new Found(records.get(0), records.get(0).operation());
	}

	private static KeyPrefix prefix(String id) {
		try {
			return new KeyPrefix(id);
		}
		catch (IllegalArgumentException ex) {
			throw new BadRequestException("The id of a record has 43 characters of A-Z, a-z, 0-9, - and _: give all of "
					+ "them, or at least the first " + KeyPrefix.MIN_LENGTH + ", as in the log");
		}
	}

	private static OperationKey key(String id) {
		try {
			return OperationKey.parse(id);
		}
		catch (IllegalArgumentException ex) {
			throw new BadRequestException("No record can have this id: its last character cannot be the last of a key");
		}
	}

	/** A record, and the name of its operation, if it is known. */
	record Found(OperationRecord record, @Nullable String operation) {
	}

}
