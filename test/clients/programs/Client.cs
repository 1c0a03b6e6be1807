// A client in C#. `test/clients/csharp.ts` puts the expressions of the cases where READS stands.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using System.Xml;
using System.Xml.Linq;
using System.Xml.Serialization;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

public class User {
  public int id;
  public int? rank;
  public string name;
  public bool banned;
}

[XmlRoot("user")]
public class OrderedUser {
  [XmlElement(Order = 0)] public int id;
  [XmlElement(Order = 1)] public string name;
}

[XmlRoot("user")]
public class UnorderedUser {
  public int id;
  public string name;
}

public static class Client {
  static User User(string answer) { return JsonConvert.DeserializeObject<User>(answer); }

  static Dictionary<string, User> Users(string answer) {
    return JsonConvert.DeserializeObject<Dictionary<string, User>>(answer);
  }

  static T Xml<T>(string answer) { return (T) new XmlSerializer(typeof(T)).Deserialize(new StringReader(answer)); }

  static XmlDocument Document(string answer) {
    var document = new XmlDocument();
    document.LoadXml(answer);
    return document;
  }

  /** The nodes that a reader with its default settings steps over. */
  static string Steps(string answer) {
    var steps = new List<string>();
    using (var reader = XmlReader.Create(new StringReader(answer))) while (reader.Read()) steps.Add(reader.NodeType.ToString());
    return string.Join(" ", steps);
  }

  static string Text(string url) { return new WebClient().DownloadString(url); }

  static string Times(string url) {
    var client = new WebClient();
    client.DownloadString(url);
    return client.ResponseHeaders["X-Times"];
  }

  static byte[] Bytes(string url) { return new WebClient().DownloadData(url); }

  static string StreamText(string url) {
    using (var reader = new StreamReader(new WebClient().OpenRead(url))) return reader.ReadToEnd();
  }

  static string Post(string url) { return new WebClient().UploadString(url, "Event=ProfileLookup"); }

  static readonly Func<string, string, object>[] reads = {
    READS
  };

  public static void Main() {
    var results = new List<string>();
    foreach (var one in JArray.Parse(new StreamReader(Console.OpenStandardInput(), Encoding.UTF8).ReadToEnd())) {
      try {
        results.Add(JsonConvert.SerializeObject(reads[(int) one["read"]]((string) one["answer"], (string) one["url"])));
      } catch (Exception error) {
        results.Add("throws " + error.GetType().Name);
      }
    }
    // Escaped: the console may write in another encoding.
    var ascii = new JsonSerializerSettings { StringEscapeHandling = StringEscapeHandling.EscapeNonAscii };
    Console.Out.Write(JsonConvert.SerializeObject(results, ascii));
  }
}
