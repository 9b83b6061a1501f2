package com.clawseed.inspector.companion;


import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.ParameterizedRobolectricTestRunner;
import org.robolectric.ParameterizedRobolectricTestRunner.Parameters;

/** Every case of companion/vectors, which the virtual device of the desktop passes as well. */
@RunWith(ParameterizedRobolectricTestRunner.class)
public final class VectorsTest {
    private final String steps;

    public VectorsTest(String name, String steps) {
        this.steps = steps;
    }

    /** As text: the values must not come from another class loader than the test's. */
    @Parameters(name = "{0}")
    public static Collection<Object[]> cases() throws Exception {
        List<Object[]> cases = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("cetp.vectors")))) {
            for (Path file : (Iterable<Path>) files.filter(path -> path.toString().endsWith(".json")).sorted()::iterator) {
                Map<?, ?> vectors = (Map<?, ?>) Json.parse(Files.readString(file));
                for (Object item : (List<?>) vectors.get("cases")) {
                    Map<?, ?> vector = (Map<?, ?>) item;
                    String name = file.getFileName() + ": " + vector.get("name");
                    cases.add(new Object[] {name, TestJson.write(vector.get("steps"))});
                }
            }
        }
        return cases;
    }

    @Test
    public void passes() throws Exception {
        new VectorRunner().run((List<?>) Json.parse(steps));
    }
}
