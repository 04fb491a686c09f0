package io.idempotent.boot.internal.start;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is read or looked up by name is in a native image. Found in the class path itself,
 * so that what is added later is checked too.
 */
class IdempotencyRuntimeHintsTests {

	private static final RuntimeHints hints = new RuntimeHints();

	private static final PathMatchingResourcePatternResolver classPath = new PathMatchingResourcePatternResolver();

	@BeforeAll
	static void register() {
		new IdempotencyRuntimeHints().registerHints(hints, ClassUtils.getDefaultClassLoader());
	}

	@ParameterizedTest
	@ValueSource(strings = { "lua", "sql", "properties" })
	void resourcesAreContained(String extension) throws IOException {
		List<String> paths = Stream.of(classPath.getResources("classpath*:io/idempotent/**/*." + extension))
			.map(IdempotencyRuntimeHintsTests::path)
			.filter((path) -> path != null)
			.toList();
		assertThat(paths).isNotEmpty()
			.allSatisfy((path) -> assertThat(RuntimeHintsPredicates.resource().forResource(path)).accepts(hints));
	}

	@Test
	void classesLookedUpByNameAreFound() throws IOException {
		Set<String> names = new TreeSet<>();
		for (Resource type : classPath.getResources("classpath*:io/idempotent/**/*.class")) {
			if (path(type) != null) {
				names.addAll(namesIn(type));
			}
		}
		// Only compared with the names of classes.
		names.removeAll(Set.of("kotlin.coroutines.Continuation", "io.grpc.stub.StreamObserver"));
		assertThat(names).contains("org.springframework.security.web.csrf.CsrfToken", "io.idempotent.Idempotent")
			.allSatisfy((name) -> assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(name)))
				.accepts(hints));
	}

	@Test
	void theCsrfTokenCanBeWrittenAsJson() {
		TypeReference token = TypeReference.of("io.idempotent.webmvc.internal.response.CsrfTokens$Observed");
		assertThat(RuntimeHintsPredicates.reflection().onType(token)).accepts(hints);
	}

	@Test
	void aResponseCanBeHiddenFromTomcat() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(HttpServletResponse.class)).accepts(hints);
	}

	/**
	 * The path of a resource of a published module, or {@code null} for one of a test.
	 */
	private static String path(Resource resource) {
		String url = resource.getDescription();
		boolean published = url.contains("/classes/io/") || url.contains(".jar!");
		boolean test = url.contains("test-classes") || url.contains("/io/idempotent/test/")
				|| url.contains("/io/idempotent/testing/") || url.contains("/io/idempotent/embedded/");
		return (published && !test) ? url.substring(url.lastIndexOf("io/idempotent/")).replaceAll("]$", "") : null;
	}

	/**
	 * The names of present classes among the texts of a class that asks whether classes
	 * are present, or loads them.
	 */
	private static Set<String> namesIn(Resource type) throws IOException {
		Texts texts = new Texts();
		try (InputStream in = type.getInputStream()) {
			new ClassReader(in).accept(texts, ClassReader.SKIP_FRAMES);
		}
		ClassLoader loader = ClassUtils.getDefaultClassLoader();
		Set<String> present = new TreeSet<>();
		texts.found.stream()
			.filter((text) -> texts.loads && text.contains(".") && ClassUtils.isPresent(text, loader))
			.forEach(present::add);
		return present;
	}

	/**
	 * The texts in the code of a class.
	 */
	private static final class Texts extends ClassVisitor {

		private static final Set<String> LOADING = Set.of("isPresent", "forName", "resolveClassName", "loadClass");

		final Set<String> found = new TreeSet<>();

		boolean loads;

		Texts() {
			super(SpringAsmInfo.ASM_VERSION);
		}

		@Override
		public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
			if (value instanceof String text) {
				this.found.add(text);
			}
			return null;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {

				@Override
				public void visitLdcInsn(Object value) {
					if (value instanceof String text) {
						Texts.this.found.add(text);
					}
				}

				@Override
				public void visitMethodInsn(int opcode, String owner, String called, String descriptor,
						boolean isInterface) {
					Texts.this.loads |= opcode == Opcodes.INVOKESTATIC && LOADING.contains(called)
							&& (owner.endsWith("/ClassUtils") || owner.equals("java/lang/Class"));
				}

			};
		}

	}

}
