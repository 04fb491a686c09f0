package io.idempotent.benchmarks.inprocess;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * An application with the starter that keeps everything in its own memory.
 */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = { DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class })
@Import({ Orders.class, Warehouse.class })
class Application {

	static ConfigurableApplicationContext start(boolean nearCache, Class<?>... more) {
		return new SpringApplicationBuilder(Application.class).sources(more)
			.web(WebApplicationType.SERVLET)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.run("--server.port=0", "--logging.level.root=warn", "--idempotent.store.type=local",
					"--idempotent.store.local.max-records=8000000", "--idempotent.lock.engines=local",
					"--idempotent.store.near-cache.enabled=" + nearCache);
	}

}
