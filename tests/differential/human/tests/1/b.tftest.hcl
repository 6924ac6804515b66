run "bad" {
 command = plan
 variables {
  n = "bad"
 }
}
run "skipped" {
}
