package io.idempotent.boot3.autoconfigure;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.ser.impl.UnsupportedTypeSerializer;
import io.idempotent.boot.internal.json.StorableTypes;
import org.jspecify.annotations.Nullable;

/** By Jackson 2. */
final class Jackson2StorableTypes extends StorableTypes<JavaType> {

	private final SerializerProvider serializers;

	private final DefaultDeserializationContext deserializers;

	Jackson2StorableTypes(ObjectMapper mapper) {
		this.serializers = mapper.getSerializerProviderInstance();
		this.deserializers = ((DefaultDeserializationContext) mapper.getDeserializationContext())
			.createDummyInstance(mapper.getDeserializationConfig());
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
			this.deserializers.findKeyDeserializer(type, null);
			return null;
		}
		catch (JsonMappingException ex) {
			return ex.getOriginalMessage();
		}
	}

	@Override
	protected @Nullable String valueProblem(JavaType type) {
		try {
			var serializer = this.serializers.findTypedValueSerializer(type, false, null);
			if (this.serializers.isUnknownTypeSerializer(serializer)
					|| serializer instanceof UnsupportedTypeSerializer) {
				return NOTHING_TO_WRITE;
			}
			return problem(this.deserializers.findRootValueDeserializer(type));
		}
		catch (JsonMappingException ex) {
			return "Jackson reports: " + ex.getOriginalMessage();
		}
	}

	private @Nullable String problem(JsonDeserializer<?> deserializer) {
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
		JsonDeserializer<?> deserializer = property.getValueDeserializer();
		if (!property.hasValueTypeDeserializer() && deserializer != null
				&& deserializer.getClass().getName().startsWith("com.fasterxml.jackson.")) {
			requireProperty(owner, property.getName(), property.getType());
		}
	}

}
