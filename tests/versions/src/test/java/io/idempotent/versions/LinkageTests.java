package io.idempotent.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.asm.AnnotationVisitor;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;
import org.springframework.boot.SpringBootVersion;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code of the published classes finds each class, field and method that it names in
 * the libraries of this version of Spring Boot, as far as these are on the class path.
 */
@Tag("slow")
class LinkageTests {

	/** What a condition keeps away from a version that lacks its classes. */
	private static final Map<String, Set<String>> NOT_USED = Map.of("3.5",
			Set.of("io.idempotent.boot.internal.redis.RedisDetailsConfiguration",
					"io.idempotent.health.autoconfigure.IdempotencyHealthAutoConfiguration",
					"io.idempotent.health.autoconfigure.IdempotencyHealthAutoConfiguration$1",
					"io.idempotent.test.web.IdempotencyRestTestClientSupport",
					"io.idempotent.webmvc.internal.request.RequestFingerprint$ApiVersion",
					"io.idempotent.webmvc.internal.request.TomcatFormParser$TooLargeForm",
					"io.idempotent.webmvc.internal.response.ContainerCall$SendRedirect"),
			"4.0",
			Set.of("io.idempotent.boot3.autoconfigure.HealthIndicatorsAutoConfiguration",
					"io.idempotent.boot3.autoconfigure.HealthIndicatorsAutoConfiguration$1",
					"io.idempotent.boot3.autoconfigure.RedisDetailsAutoConfiguration"));

	private final Map<String, Set<String>> missing = new TreeMap<>();

	private ClassPath classPath;

	@Test
	void whatIsUsedIsThere() throws IOException {
		this.classPath = new ClassPath(Files.readString(Path.of("target/class-path")));
		assertThat(this.classPath.published()).hasSizeGreaterThan(500);
		this.classPath.published().forEach(this::read);
		String version = SpringBootVersion.getVersion().replaceFirst("\\.\\d+$", "");
		assertThat(this.missing.keySet()).as("%s", this.missing)
			.containsExactlyInAnyOrderElementsOf(NOT_USED.get(version));
	}

	private void read(byte[] bytes) {
		ClassReader reader = new ClassReader(bytes);
		Reader references = new Reader(reader.getClassName());
		if ((reader.getAccess() & Opcodes.ACC_ABSTRACT) == 0) {
			this.classPath.unimplemented(reader.getClassName()).forEach(references::lacks);
		}
		reader.accept(references, ClassReader.SKIP_DEBUG);
	}

	/** Notes what a class names and does not find. */
	private final class Reader extends ClassVisitor {

		private final String name;

		Reader(String className) {
			super(Opcodes.ASM9);
			this.name = className.replace('/', '.');
		}

		void lacks(String what) {
			LinkageTests.this.missing.computeIfAbsent(this.name, (each) -> new TreeSet<>()).add(what);
		}

		private void use(Type type) {
			switch (type.getSort()) {
				case Type.ARRAY -> use(type.getElementType());
				case Type.OBJECT -> use(type.getInternalName());
				case Type.METHOD -> {
					use(type.getReturnType());
					for (Type argument : type.getArgumentTypes()) {
						use(argument);
					}
				}
				default -> {
				}
			}
		}

		private void use(String type) {
			if (type.startsWith("[")) {
				use(Type.getType(type));
			}
			else if (LinkageTests.this.classPath.lacks(type)) {
				lacks(type);
			}
		}

		private void use(String owner, String member, boolean ofInterface, boolean method) {
			use(owner);
			if (owner.startsWith("[") || owner.startsWith("java/lang/invoke/")) {
				return;
			}
			if (LinkageTests.this.classPath.lacks(owner, member)
					|| (method && LinkageTests.this.classPath.find(owner).isPresent()
							&& LinkageTests.this.classPath.isInterface(owner) != ofInterface)) {
				lacks(owner + "." + member);
			}
		}

		@Override
		public void visit(int version, int access, String name, String signature, String superName,
				String[] interfaces) {
			use(superName);
			for (String each : interfaces) {
				use(each);
			}
		}

		/** The JVM ignores one that is not there. */
		@Override
		public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
			use(Type.getType(descriptor));
			return null;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
				String[] exceptions) {
			use(Type.getMethodType(descriptor));
			return new MethodVisitor(Opcodes.ASM9) {

				@Override
				public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
					use(Type.getType(annotation));
					return null;
				}

				@Override
				public void visitTypeInsn(int opcode, String type) {
					use(type);
				}

				@Override
				public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
					use(owner, name + descriptor, false, false);
				}

				@Override
				public void visitMethodInsn(int opcode, String owner, String name, String descriptor,
						boolean isInterface) {
					use(owner, name + descriptor, isInterface, true);
				}

				@Override
				public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap,
						Object... arguments) {
					for (Object argument : arguments) {
						visitLdcInsn(argument);
					}
				}

				@Override
				public void visitLdcInsn(Object value) {
					if (value instanceof Type type) {
						use(type);
					}
					else if (value instanceof Handle handle) {
						use(handle.getOwner(), handle.getName() + handle.getDesc(), handle.isInterface(),
								handle.getTag() >= Opcodes.H_INVOKEVIRTUAL);
					}
				}

				@Override
				public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
					if (type != null) {
						use(type);
					}
				}

			};
		}

	}

}
