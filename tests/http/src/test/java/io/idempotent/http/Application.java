package io.idempotent.http;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.RateControl;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import org.springframework.web.servlet.view.AbstractView;
import org.springframework.web.servlet.view.BeanNameViewResolver;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * The application around the handlers: views, pages, filters, advice.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ Bodies.class, Entities.class, Views.class, Writes.class, Headers.class, Errors.class, Redirects.class,
		Files.class, AsyncHandlers.class, OwnContexts.class, Requests.class, Filtered.class, FilteredBodies.class,
		PlainHandlers.class, KotlinHandlers.class, PlantedFaults.class, Promises.class, Declared.Objects.class,
		Declared.OrdersInMemory.class, Readings.Header.class, Readings.Token.class, Readings.Content.class,
		Declared.ParcelShelf.class, Declared.OrderServiceInMemory.class, Callers.class, Application.Advice.class,
		Application.Next.class })
class Application {

	@Bean
	RunCounter runs() {
		return new RunCounter();
	}

	@Bean
	BeanNameViewResolver views() {
		return new BeanNameViewResolver();
	}

	@Bean
	View page() {
		return new Page();
	}

	/** What a JSP is to its caller. */
	@Bean
	ServletRegistrationBean<HttpServlet> pages() {
		return new ServletRegistrationBean<>(new Pages(), "/pages/*");
	}

	@Bean
	FilterRegistrationBean<ShallowEtagHeaderFilter> tags() {
		FilterRegistrationBean<ShallowEtagHeaderFilter> filter = new FilterRegistrationBean<>(
				new ShallowEtagHeaderFilter());
		filter.addUrlPatterns("/filtered/tagged", "/filtered/tagged-empty", "/filtered/tagged-flushed",
				"/filtered/tagged-post");
		return filter;
	}

	@Bean
	FilterRegistrationBean<FiltersLeftFilter> left() {
		FilterRegistrationBean<FiltersLeftFilter> filter = new FilterRegistrationBean<>(new FiltersLeftFilter());
		filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
		return filter;
	}

	@Bean
	FilterRegistrationBean<Filter> shouts() {
		FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
			ContentCachingResponseWrapper wrapper = new ContentCachingResponseWrapper((HttpServletResponse) response);
			chain.doFilter(request, wrapper);
			String shouted = new String(wrapper.getContentAsByteArray(), StandardCharsets.UTF_8)
				.toUpperCase(Locale.ROOT);
			wrapper.resetBuffer();
			wrapper.getOutputStream().write(shouted.getBytes(StandardCharsets.UTF_8));
			wrapper.setHeader("X-Shouted", "yes");
			wrapper.copyBodyToResponse();
		});
		filter.setName("shouts");
		filter.addUrlPatterns("/filtered/shouted");
		return filter;
	}

	@Bean
	FilterRegistrationBean<Filter> stamps() {
		FilterRegistrationBean<Filter> filter = new FilterRegistrationBean<>((request, response, chain) -> {
			((HttpServletResponse) response).setHeader("X-Before", "yes");
			chain.doFilter(request, response);
			((HttpServletResponse) response).setHeader("X-After", "yes");
			((HttpServletResponse) response).addHeader("X-Added-After", "yes");
		});
		filter.setName("stamps");
		filter.addUrlPatterns("/filtered/stamped/*");
		return filter;
	}

	/** Jetty takes many small requests of HTTP/2 for an attack. */
	@Bean
	WebServerFactoryCustomizer<JettyServletWebServerFactory> patience() {
		return (factory) -> factory.addServerCustomizers((server) -> Stream.of(server.getConnectors())
			.map((connector) -> connector.getConnectionFactory(HTTP2CServerConnectionFactory.class))
			.filter(Objects::nonNull)
			.forEach((http2) -> http2.setRateControlFactory(new RateControl.Factory() {
			})));
	}

	@Bean
	WebMvcConfigurer interceptors() {
		return new WebMvcConfigurer() {

			@Override
			public void addInterceptors(InterceptorRegistry registry) {
				registry.addInterceptor(new Intercept()).addPathPatterns("/filtered/intercepted*");
			}

		};
	}

	/**
	 * Not counted: what it forwards to or includes is.
	 */
	@RestController
	@RequestMapping("/next")
	static class Next {

		@PostMapping("/forward-on")
		void forwardOn(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/entities/headers").forward(request, response);
		}

		@PostMapping("/forward")
		void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/promises/forwarded?fixed=1").forward(request, response);
		}

		@PostMapping("/include")
		void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
			request.getRequestDispatcher("/promises/included").include(request, response);
		}

	}

	@RestControllerAdvice
	static class Advice implements ResponseBodyAdvice<Object> {

		@ExceptionHandler
		ProblemDetail unsupported(UnsupportedOperationException ex) {
			return ProblemDetail.forStatusAndDetail(org.springframework.http.HttpStatus.NOT_IMPLEMENTED,
					String.valueOf(ex.getMessage()));
		}

		@Override
		public boolean supports(MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converterType) {
			return returnType.getParameterType() == Filtered.Wrapped.class;
		}

		@Override
		public Object beforeBodyWrite(Object body, MethodParameter returnType, MediaType selectedContentType,
				Class<? extends HttpMessageConverter<?>> selectedConverterType, ServerHttpRequest request,
				ServerHttpResponse response) {
			response.getHeaders().set("X-Wrapped", "yes");
			return Map.of("data", body);
		}

	}

	private static final class Page extends AbstractView {

		@Override
		protected void renderMergedOutputModel(Map<String, Object> model, HttpServletRequest request,
				HttpServletResponse response) throws IOException {
			response.setContentType("text/html;charset=UTF-8");
			response.getWriter().write("<p>Grüße, " + model.get("order") + "</p>");
		}

	}

	private static final class Pages extends HttpServlet {

		private static final long serialVersionUID = 1L;

		@Override
		protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
			response.setContentType("text/html;charset=UTF-8");
			if (request.getPathInfo().equals("/stream")) {
				response.getOutputStream().print("<p>Page in bytes</p>");
				return;
			}
			if (request.getPathInfo().equals("/moved")) {
				response.sendRedirect("/elsewhere");
				return;
			}
			PrintWriter writer = response.getWriter();
			writer.write("<p>Page " + request.getPathInfo() + " für dich</p>");
		}

	}

	private static final class Intercept implements HandlerInterceptor {

		@Override
		public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
			response.setHeader("X-Before", "yes");
			return true;
		}

		@Override
		public void postHandle(HttpServletRequest request, HttpServletResponse response, Object handler,
				@Nullable ModelAndView view) {
			response.setHeader("X-After", "yes");
		}

	}

}
