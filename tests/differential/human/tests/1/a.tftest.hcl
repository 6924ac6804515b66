run "pass" {
}
run "plan" {
 command = plan
}
run "fails" {
 assert {
  condition = output.o == "y"
  error_message = "It is ${output.o}."
 }
 assert {
  condition = output.o == "z"
  error_message = "Never"
 }
}
run "after" {
 variables {
  n = run.pass.o
 }
}
