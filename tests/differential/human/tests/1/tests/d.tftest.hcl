mock_provider "x" {
}
variables {
 n = "q"
}
run "d" {
 assert {
  condition = output.o == "q"
  error_message = "no"
 }
}
