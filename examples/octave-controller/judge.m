% What one wants to know of a run: columns are time, four states and force.
function judge (trajectory, cost)
  late = find (abs (trajectory(:, 4)) > 1e-3, 1, "last");
  if (late == rows (trajectory))
    cardan_log (sprintf ("The pole is not within 1 mrad in the end, but at %.3g rad.", trajectory(end, 4)), "warning");
  else
    cardan_log (sprintf ("The pole is within 1 mrad from %.2f s on, the cart went %.4f m aside, the cost is %.5f.", ...
                         trajectory(late + 1, 1), max (abs (trajectory(:, 2))), cost));
  end
end
