package io.idempotent.boot.internal.redis;

import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.MasterReplica;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reads {@link RedisDetails} from the types of Spring Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DataRedisConnectionDetails.class)
@ConditionalOnSingleCandidate(DataRedisConnectionDetails.class)
@EnableConfigurationProperties(DataRedisProperties.class)
public class RedisDetailsConfiguration {

	@Bean("io.idempotent.redisDetails")
	RedisDetails redisDetails(DataRedisConnectionDetails details, DataRedisProperties properties) {
		MasterReplica masterReplica = details.getMasterReplica();
		List<RedisDetails.Node> nodes = (masterReplica == null) ? List.of()
				: masterReplica.getNodes()
					.stream()
					.map((node) -> new RedisDetails.Node(node.host(), node.port()))
					.toList();
		return new RedisDetails(details.getUsername(), details.getPassword(), details.getSslBundle(), nodes,
				properties.getClientName(), properties.getTimeout(), properties.getConnectTimeout());
	}

}
