output "o01" {
  value = format("%s %q %v %#v", "a", "b\"c", [1, "x"], {k = true})
}
output "o02" {
  value = format("%5d|%-5d|%05d|%+d|% d", 42, 42, 42, 42, 42)
}
output "o03" {
  value = format("%x %X %#x %o %#o %b", 255, 255, 255, 8, 8, 5)
}
output "o04" {
  value = format("%f %.2f %8.3f %e %g %G", 1.5, 2.345, 3.14159, 1234.5, 1e21, 1e-7)
}
output "o05" {
  value = format("%[2]s %[1]s %s", "a", "b")
}
output "o06" {
  value = format("%t %v %s", true, false, true)
}
output "o07" {
  value = format("%5s|%-5s|%.2s|%5.1s|", "é", "ab", "héllo", "xyz")
}
output "o08" {
  value = format("%%%d%%", 5)
}
output "o09" {
  value = format("%v %v %s", 1e30, 0.1, 123456789012345678901234567890)
}
output "o10" {
  value = format("%v", null)
}
output "o11" {
  value = formatlist("%s-%d", ["a", "b"], [1, 2])
}
output "o12" {
  value = formatlist("%s/%s", "x", toset(["b", "a"]))
}
output "o13" {
  value = formatlist("%v", [[1], [2]])
}
output "o14" {
  value = format("%d", "12")
}
