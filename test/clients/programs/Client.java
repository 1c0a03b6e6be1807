// A client in Java. `test/clients/java.ts` puts the expressions of the cases where READS stands.

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamReader;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

public class Client {
  public static class User {
    public int id;
    public Integer rank;
    public String name;
    public boolean banned;
  }

  interface Read {
    Object from(String answer, String url) throws Exception;
  }

  static final ObjectMapper mapper = new ObjectMapper();

  static User user(String answer) throws Exception {
    return mapper.readValue(answer, User.class);
  }

  static Map<String, User> users(String answer) throws Exception {
    return mapper.readValue(answer, new TypeReference<Map<String, User>>() {});
  }

  static JsonNode tree(String answer) throws Exception {
    return mapper.readTree(answer);
  }

  static Document document(String answer) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(answer)));
  }

  /** As a reader of a stream goes: it expects each element in its place. */
  static String nameAfterId(String answer) throws Exception {
    XMLStreamReader reader = XMLInputFactory.newInstance().createXMLStreamReader(new StringReader(answer));
    reader.nextTag();
    reader.nextTag();
    reader.require(XMLStreamReader.START_ELEMENT, null, "id");
    reader.getElementText();
    reader.nextTag();
    reader.require(XMLStreamReader.START_ELEMENT, null, "name");
    return reader.getElementText();
  }

  static byte[] bytes(String url) throws Exception {
    try (InputStream stream = new URL(url).openStream()) {
      return stream.readAllBytes();
    }
  }

  static String text(String url) throws Exception {
    return new String(bytes(url), StandardCharsets.UTF_8);
  }

  static String readerText(String url, String charset) throws Exception {
    StringBuilder text = new StringBuilder();
    try (Reader reader = new InputStreamReader(new URL(url).openStream(), Charset.forName(charset))) {
      for (int letter = reader.read(); letter != -1; letter = reader.read()) text.append((char) letter);
    }
    return text.toString();
  }

  static String post(String url) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
    connection.setDoOutput(true);
    try (OutputStream body = connection.getOutputStream()) {
      body.write("Event=ProfileLookup".getBytes(StandardCharsets.UTF_8));
    }
    return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  static final Read[] reads = {
    READS
  };

  public static void main(String[] none) throws Exception {
    List<String> results = new ArrayList<>();
    for (JsonNode one : mapper.readTree(System.in)) {
      String result;
      try {
        result = mapper.writeValueAsString(
            reads[one.get("read").asInt()].from(one.get("answer").textValue(), one.get("url").textValue()));
      } catch (Exception error) {
        result = "throws " + error.getClass().getSimpleName();
      }
      results.add(result);
    }
    mapper.writeValue(System.out, results);
  }
}
