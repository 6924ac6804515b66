resource "local_file" "one" {
  filename = "one.txt"
  content  = "1"
}
resource "local_file" "two" {
  count    = 2
  filename = "two-${count.index}.txt"
  content  = "2"
}
