package io.idempotent.boot.internal.json;

import org.jspecify.annotations.Nullable;
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

/** By Jackson 3. */
final class JacksonStorableTypes extends StorableTypes<JavaType> {

	private final JsonMapper mapper;

	private final SerializationContextExt serializers;

	JacksonStorableTypes(JsonMapper mapper) {
		this.mapper = mapper;
		this.serializers = mapper._serializationContext();
	}

	@Override
	protected String name(JavaType type) {
		return type.toCanonical();
	}

	@Override
	protected Class<?> raw(JavaType type) {
		return type.getRawClass();
	}

	@Override
	protected @Nullable JavaType key(JavaType type) {
		return type.getKeyType();
	}

	@Override
	protected @Nullable JavaType content(JavaType type) {
		return type.isReferenceType() ? type.getReferencedType() : type.getContentType();
	}

	@Override
	protected @Nullable String keyProblem(JavaType type) {
		try {
			this.mapper._deserializationContext().findKeyDeserializer(type, null);
			return null;
		}
		catch (JacksonException ex) {
			return ex.getOriginalMessage();
		}
	}

	@Override
	protected @Nullable String valueProblem(JavaType type) {
		try {
			var serializer = this.serializers.findTypedValueSerializer(type, false);
			if (this.serializers.isUnknownTypeSerializer(serializer)
					|| serializer instanceof UnsupportedTypeSerializer) {
				return NOTHING_TO_WRITE;
			}
			return problem(this.mapper._deserializationContext().findRootValueDeserializer(type));
		}
		catch (JacksonException ex) {
			return "Jackson reports: " + ex.getOriginalMessage();
		}
	}

	private @Nullable String problem(ValueDeserializer<?> deserializer) {
		if (deserializer instanceof AbstractDeserializer) {
			return ABSTRACT;
		}
		if (deserializer instanceof UnsupportedTypeDeserializer) {
			return UNREADABLE;
		}
		if (deserializer instanceof BeanDeserializerBase bean) {
			if (!bean.getValueInstantiator().canInstantiate()) {
				return NO_CONSTRUCTOR;
			}
			bean.properties().forEachRemaining((property) -> requireProperty(bean.handledType(), property));
		}
		return null;
	}

	private void requireProperty(Class<?> owner, SettableBeanProperty property) {
		ValueDeserializer<?> deserializer = property.getValueDeserializer();
		if (!property.hasValueTypeDeserializer() && deserializer != null
				&& deserializer.getClass().getName().startsWith("tools.jackson.")) {
			requireProperty(owner, property.getName(), property.getType());
		}
	}

}
