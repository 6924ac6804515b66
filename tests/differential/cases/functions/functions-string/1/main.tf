output "case" { value = [lower("ABC ÄÖ"), upper("abc äöß"), title("hello wide world"), lower(12)] }
output "trim" { value = [trim("?!hello?!", "!?"), trimspace("\n  a b \t"), trimprefix("prefix-x", "prefix-"), trimsuffix("x.tf", ".tf"), trimprefix("x", "y"), chomp("line\r\n\n")] }
output "starts" { value = [startswith("hello", "he"), endswith("hello", "lo"), startswith("x", ""), endswith("x", "yy"), strcontains("hello", "ell")] }
output "substr" { value = [substr("hello world", 1, 4), substr("hello", -3, -1), substr("hello", 0, 100), substr("wörld", 1, 2), substr("abc", 1, -1), substr("", 0, 5)] }
output "replace" { value = [replace("1 + 2", "+", "-"), replace("hello", "/l+/", "L"), replace("ab12", "/([a-z]+)([0-9]+)/", "$2$1"), replace("a.b.c", ".", "")] }
output "split" { value = [split(",", "a,b,c"), split(",", ""), split("", "abc"), split("--", "a--b")] }
output "join" { value = [join(", ", ["a", "b"]), join("-", []), join("", ["a", 1, true]), join(",", ["a"], ["b", "c"]), join("+", toset(["z", "y"]))] }
output "regex" { value = [regex("[a-z]+", "123abc456"), regex("(\\d+)-(\\d+)", "10-20"), regex("(?P<year>\\d{4})-(?P<month>\\d\\d)", "2020-07"), regex("^(?:(a)|(b))$", "b")] }
output "regexall" { value = [regexall("[a-z]", "a1b2"), regexall("(\\w)(\\d)", "a1b2"), regexall("x", "abc"), length(regexall("", "ab"))] }
output "length" { value = [length("hello"), length("wörld"), length("👩‍👩‍👧"), length(""), length("e\u0301")] }
output "strrev" { value = [strrev("hello"), strrev("wörld 👩‍👩‍👧!")] }
output "indent" { value = [indent(2, "a\nb\n\nc"), indent(0, "a\nb")] }
output "format_verbs" {
  value = [
    format("%s %d %v", "a", 5, true), format("%05d|%-5d|%+d", 42, 42, 42), format("%x %X %o %b", 255, 255, 8, 5),
    format("%.2f %5.1f %e", 3.14159, 2.5, 12345.678), format("%q %s", "quo\"te", "plain"), format("%t %%", false),
    format("%v", [1, "a", null]), format("%v", { b = 1, a = true }), format("%#v", "x"), format("%[2]s %[1]s", "one", "two"),
    format("%5s|%-5s|%05s", "ab", "ab", "ab"), format("%.3s", "abcdef"), format("%s", 1.5), format("%d", "12"), format("%g %g", 0.00001, 123456789.0),
    format("%s", 12345678901234567890),
  ]
}
output "formatlist" { value = [formatlist("%s-%d", ["a", "b"], [1, 2]), formatlist("x-%s", ["a", "b"]), formatlist("%s=%s", "k", ["v", "w"]), formatlist("%s", []), formatlist("plain")] }
