package io.idempotent.json;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

import static org.assertj.core.api.Assertions.assertThat;

class JsonCanonicalizerTests {

	private static final String CHARACTERS = "{}[]\":,\\/bfnrtu0123456789aF+-.eE \n\t";

	private static final List<String> DOCUMENTS = List.of("{\"a\":[1,-0.5e+7,true,false,null],\"b\":{\"\":\"\"}}",
			"[\"\\u00e9\\n\\\"\\\\/\", {\"x\" : 1E9}, [], {}]", " \"\\ud83d\\ude00 text\" ", "-10.25", "null");

	private final JsonCanonicalizer canonicalizer = new JsonCanonicalizer();

	private final JsonFactory jackson = new JsonFactory();

	@Test
	void whatJacksonRefusesIsNotJson() {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		int valid = 0;
		for (int round = 0; round < 20_000; round++) {
			StringBuilder text = new StringBuilder(DOCUMENTS.get(random.nextInt(DOCUMENTS.size())));
			for (int changes = random.nextInt(3); changes > 0; changes--) {
				int at = random.nextInt(text.length());
				char character = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
				switch (random.nextInt(3)) {
					case 0 -> text.setCharAt(at, character);
					case 1 -> text.insert(at, character);
					default -> text.deleteCharAt(at);
				}
			}
			boolean accepted = isAccepted(text.toString());
			valid += accepted ? 1 : 0;
			assertThat(canonical(text.toString()) != null).as("seed %d, round %d: %s", seed, round, text)
				.isEqualTo(accepted);
		}
		assertThat(valid).isBetween(5_000, 15_000);
	}

	private boolean isAccepted(String json) {
		try (JsonParser parser = this.jackson.createParser(ObjectReadContext.empty(),
				json.getBytes(StandardCharsets.UTF_8))) {
			if (parser.nextToken() == null) {
				return false;
			}
			parser.skipChildren();
			parser.finishToken();
			return parser.nextToken() == null;
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	/** The first text ends where the second one has a length, a kind or a member. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{\"\":\"s\"}|{\"s\":\"\"}", "{\"\":{}}|{\"{\":\"\"}",
			"[[],[]]|[[[]]]", "[\"\",\"\"]|[[\"\"],\"\"]", "{\"a\":{\"b\":1}}|{\"a\":[\"b\",1]}", "[{}]|[[]]" })
	void noValueContinuesAnother(String one, String other) {
		assertThat(canonical(one)).isNotNull().isNotEqualTo(canonical(other));
	}

	private byte[] canonical(String json) {
		return this.canonicalizer.canonicalize(json.getBytes(StandardCharsets.UTF_8));
	}

}
