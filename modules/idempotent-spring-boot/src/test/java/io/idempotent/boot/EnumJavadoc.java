package io.idempotent.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Javadoc of enum constants from the source, as Markdown.
 */
final class EnumJavadoc {

	private static final Path MODULES = Path.of("..");

	private final Map<String, String> byConstant = new HashMap<>();

	/**
	 * Returns the Javadoc of a constant.
	 * @param constant a constant of an enum in one of the modules
	 * @return the text in one line
	 */
	String of(Enum<?> constant) {
		Class<?> type = constant.getDeclaringClass();
		Path source = source(type);
		String key = key(source, type.getSimpleName(), constant.name());
		if (!this.byConstant.containsKey(key)) {
			read(source);
		}
		String text = this.byConstant.get(key);
		if (text == null || text.isBlank()) {
			throw new IllegalStateException(key + " has no Javadoc, which docs/metrics.md shows: write some");
		}
		return text;
	}

	private static Path source(Class<?> type) {
		Class<?> outermost = type;
		while (outermost.getEnclosingClass() != null) {
			outermost = outermost.getEnclosingClass();
		}
		String file = "src/main/java/" + outermost.getName().replace('.', '/') + ".java";
		try (Stream<Path> modules = Files.list(MODULES)) {
			return modules.map((module) -> module.resolve(file))
				.filter(Files::exists)
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("There is no source of " + type + " in the modules"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void read(Path source) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of(), null,
					files.getJavaFileObjects(source));
			DocTrees comments = DocTrees.instance(task);
			for (CompilationUnitTree unit : task.parse()) {
				new ConstantScanner(source, comments).scan(unit, null);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String key(Path source, CharSequence type, CharSequence constant) {
		return source.getFileName() + " " + type + "." + constant;
	}

	private static String markdown(@Nullable String javadoc) {
		return (javadoc == null) ? ""
				: javadoc.replaceAll("\\{@code ([^}]+)}", "`$1`")
					.replaceAll("\\{@link (?:[a-z.]+\\.)?(\\w+)(?:#\\w+)?}", "`$1`")
					.replaceAll("\\s+", " ")
					.strip();
	}

	private final class ConstantScanner extends TreePathScanner<@Nullable Void, @Nullable Void> {

		private final Path source;

		private final DocTrees comments;

		ConstantScanner(Path source, DocTrees comments) {
			this.source = source;
			this.comments = comments;
		}

		@Override
		public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
			for (Tree member : type.getMembers()) {
				if (type.getKind() == Tree.Kind.ENUM && member instanceof VariableTree constant
						&& constant.getModifiers().getFlags().contains(Modifier.STATIC)) {
					String text = this.comments.getDocComment(new TreePath(getCurrentPath(), constant));
					EnumJavadoc.this.byConstant.put(key(this.source, type.getSimpleName(), constant.getName()),
							markdown(text));
				}
			}
			return super.visitClass(type, null);
		}

	}

}
