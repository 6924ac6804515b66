locals =
{
  a = 1
}
