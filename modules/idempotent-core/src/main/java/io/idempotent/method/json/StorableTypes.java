package io.idempotent.method.json;

import java.io.Serializable;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;

import io.idempotent.support.AsyncReturnTypes;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.SerializationContextExt;
import tools.jackson.databind.ser.impl.UnsupportedTypeSerializer;

/**
 * Checks at start-up whether values of a type can be stored as JSON and restored. Types
 * with a deserializer of the application are trusted.
 */
final class StorableTypes {

	/** They can be read only once, or hold external resources. */
	private static final List<Class<?>> BOUND = List.of(AutoCloseable.class, Iterator.class, Spliterator.class);

	private final JsonMapper mapper;

	private final Set<JavaType> seen = new HashSet<>();

	StorableTypes(JsonMapper mapper) {
		this.mapper = mapper;
	}

	/** Throws, naming the type and the reason. */
	void require(JavaType type) {
		if (!this.seen.add(type)) {
			return;
		}
		Class<?> raw = type.getRawClass();
		if (raw == Object.class) {
			throw unstorable(type, "JSON does not contain its class, and it would be restored as a map or a text");
		}
		if (raw == Serializable.class || raw == Number.class) {
			throw unstorable(type, "it is abstract, and JSON does not contain its class");
		}
		if (AsyncReturnTypes.isAsync(raw) || BOUND.stream().anyMatch((bound) -> bound.isAssignableFrom(raw))) {
			throw unstorable(type, "it can be used once only, or its content is produced later");
		}
		if (type.isContainerType() || type.isReferenceType()) {
			requireParts(type);
		}
		else {
			requireValue(type);
		}
	}

	private void requireParts(JavaType type) {
		if (type.getKeyType() != null) {
			requireKey(type.getKeyType());
		}
		require(type.isReferenceType() ? type.getReferencedType() : type.getContentType());
	}

	private void requireKey(JavaType type) {
		require(type);
		try {
			this.mapper._deserializationContext().findKeyDeserializer(type, null);
		}
		catch (JacksonException ex) {
			throw unstorable(type, "as the key of a map, Jackson reports: " + ex.getOriginalMessage());
		}
	}

	private void requireValue(JavaType type) {
		try {
			requireWritable(type);
			requireReadable(type);
		}
		catch (JacksonException ex) {
			throw unstorable(type, "Jackson reports: " + ex.getOriginalMessage());
		}
	}

	private void requireWritable(JavaType type) {
		SerializationContextExt context = this.mapper._serializationContext();
		var serializer = context.findTypedValueSerializer(type, false);
		if (context.isUnknownTypeSerializer(serializer) || serializer instanceof UnsupportedTypeSerializer) {
			throw unstorable(type, "Jackson finds nothing in it to write");
		}
	}

	private void requireReadable(JavaType type) {
		ValueDeserializer<?> deserializer = this.mapper._deserializationContext().findRootValueDeserializer(type);
		if (deserializer instanceof AbstractDeserializer) {
			throw unstorable(type, "it is abstract, and JSON does not contain its class");
		}
		if (deserializer instanceof UnsupportedTypeDeserializer) {
			throw unstorable(type, "Jackson cannot read it");
		}
		if (deserializer instanceof BeanDeserializerBase bean) {
			if (!bean.getValueInstantiator().canInstantiate()) {
				throw unstorable(type, "it has no constructor that Jackson could use");
			}
			bean.properties().forEachRemaining(this::requireProperty);
		}
	}

	private void requireProperty(SettableBeanProperty property) {
		ValueDeserializer<?> deserializer = property.getValueDeserializer();
		if (!property.hasValueTypeDeserializer() && deserializer != null
				&& deserializer.getClass().getName().startsWith("tools.jackson.")) {
			require(property.getType());
		}
	}

	private static IllegalArgumentException unstorable(JavaType type, String reason) {
		return new IllegalArgumentException(
				"a result of type " + type.toCanonical() + " cannot be stored and replayed: " + reason);
	}

}
