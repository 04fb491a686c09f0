package io.idempotent.guest.clients;

import java.lang.reflect.Proxy;

import io.idempotent.ApiIdempotent;
import io.idempotent.Idempotent;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/**
 * Has clients of a server, whose annotated interfaces it shares. Without the starter, the
 * annotations are not there.
 */
@SpringBootApplication
public class ClientApplication {

	@Bean
	Orders orders() {
		RestClientAdapter adapter = RestClientAdapter.create(RestClient.create("http://orders.example"));
		return HttpServiceProxyFactory.builderFor(adapter).build().createClient(Orders.class);
	}

	@Bean
	PaymentsFactory payments() {
		return new PaymentsFactory();
	}

	interface Orders {

		@ApiIdempotent
		@PostExchange("/orders")
		String create();

		@Idempotent(key = "#id")
		@PostExchange("/orders/{id}")
		String change(@PathVariable String id);

	}

	@ApiIdempotent
	interface Payments {

		@PostMapping("/payments")
		String pay();

	}

	/** As Feign makes its clients. */
	static class PaymentsFactory implements FactoryBean<Payments> {

		@Override
		public Payments getObject() {
			return (Payments) Proxy.newProxyInstance(Payments.class.getClassLoader(), new Class<?>[] { Payments.class },
					(proxy, method, arguments) -> null);
		}

		@Override
		public Class<?> getObjectType() {
			return Payments.class;
		}

	}

}
